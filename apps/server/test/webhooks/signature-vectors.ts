/**
 * Signatures and what a receiver must think of them, written out: our signing code, our own verifying code, the client library and the
 * snippets of docs/webhooks.md are all held against these.
 */
export const SIGNED_AT = 1_763_197_200;
export const BODY = '{"title":"Ünïcode 日本 😀"}';
export const SECRET = "whsec_one";
export const NEW_SECRET = "whsec_new";
export const SIGNATURES = {
  [SECRET]: "129d76dc794073ff08ca92d3a64619d23d3f09a9290e07b73a7d2f8ed541ad1f",
  [NEW_SECRET]: "f1542f34d172e60a0f3f1726e25be0d85b28fa52e80a26346b8ba47c85e041c7",
  whsec_other: "391e05a588b0ca7c9353cd4737c71b3a4facafb1d2a145e1737be078bd54edfc",
} as const;

const t = `t=${SIGNED_AT}`;
const good = `${t},v1=${SIGNATURES[SECRET]}`;

export interface SignatureVector {
  readonly name: string;
  readonly header: string;
  readonly body?: string;
  /** Seconds after it was signed. */
  readonly later?: number;
  readonly isGenuine: boolean;
}

export const SIGNATURE_VECTORS: readonly SignatureVector[] = [
  { name: "one signature", header: good, isGenuine: true },
  {
    name: "two signatures while a secret is replaced",
    header: `${t},v1=${SIGNATURES[NEW_SECRET]},v1=${SIGNATURES[SECRET]}`,
    isGenuine: true,
  },
  { name: "signed 300 seconds ago", header: good, later: 300, isGenuine: true },
  { name: "signed 301 seconds ago", header: good, later: 301, isGenuine: false },
  { name: "signed 301 seconds ahead", header: good, later: -301, isGenuine: false },
  { name: "another body", header: good, body: `${BODY} `, isGenuine: false },
  { name: "another secret", header: `${t},v1=${SIGNATURES.whsec_other}`, isGenuine: false },
  { name: "another time", header: good.replace("t=1", "t=2"), later: 1_000_000_000, isGenuine: false },
  { name: "no header", header: "", isGenuine: false },
  { name: "no time", header: `v1=${SIGNATURES[SECRET]}`, isGenuine: false },
  { name: "a time that is none", header: "t=x,v1=", isGenuine: false },
  { name: "an empty signature", header: `${t},v1=`, isGenuine: false },
  { name: "a signature that is cut", header: good.slice(0, -2), isGenuine: false },
  { name: "a signature of another scheme", header: good.replace("v1", "v0"), isGenuine: false },
];
