export type Provider = "s3" | "r2" | "cloudinary";

/** What the form asks for, of all providers; each has some of it. Everything is text as it was typed. */
export interface StorageParts {
  readonly provider: Provider;
  readonly host: string;
  /** R2: the account, and where it must keep its files; empty: anywhere. */
  readonly account: string;
  readonly jurisdiction: string;
  readonly bucket: string;
  readonly region: string;
  readonly cloud: string;
  readonly keyId: string;
  readonly secret: string;
  readonly token: string;
  /** Empty: as the provider has it. */
  readonly style: "" | "path" | "host";
  readonly publicAddress: string;
}

export const EMPTY_PARTS: StorageParts = {
  provider: "s3",
  host: "",
  account: "",
  jurisdiction: "",
  bucket: "",
  region: "",
  cloud: "",
  keyId: "",
  secret: "",
  token: "",
  style: "",
  publicAddress: "",
};

/** What must be there before anything can be tested. */
export const NEEDED: Readonly<Record<Provider, readonly (keyof StorageParts)[]>> = {
  s3: ["host", "bucket", "keyId", "secret"],
  r2: ["account", "bucket", "keyId", "secret"],
  cloudinary: ["cloud", "keyId", "secret"],
};

const R2_HOST = ".r2.cloudflarestorage.com";

/** The parts as the one address that the server reads: s3://KEY:SECRET@HOST/BUCKET?region=… or cloudinary://KEY:SECRET@CLOUD?region=… */
export function addressOf(parts: StorageParts): string {
  const who = `${encodeURIComponent(parts.keyId.trim())}:${encodeURIComponent(parts.secret.trim())}`;
  if (parts.provider === "cloudinary")
    return withQuery(`cloudinary://${who}@${encodeURIComponent(parts.cloud.trim())}`, { region: parts.region });
  const { token, publicAddress } = parts;
  const bucket = encodeURIComponent(parts.bucket.trim());
  if (parts.provider === "r2") {
    const host = [parts.account.trim(), parts.jurisdiction].filter(Boolean).join(".") + R2_HOST;
    return withQuery(`s3://${who}@${host}/${bucket}`, { token, public: publicAddress });
  }
  const isPlain = /^http:\/\//i.test(parts.host.trim());
  const host = parts.host
    .trim()
    .replace(/^https?:\/\//i, "")
    .replace(/\/+$/, "");
  const options = { region: parts.region, style: parts.style, token, public: publicAddress };
  return withQuery(`${isPlain ? "s3+http" : "s3"}://${who}@${host}/${bucket}`, options);
}

function withQuery(address: string, options: Readonly<Record<string, string>>): string {
  const query = Object.entries(options)
    .filter(([, value]) => value.trim() !== "")
    .map(([name, value]) => `${name}=${encodeURIComponent(value.trim())}`);
  return query.length === 0 ? address : `${address}?${query.join("&")}`;
}

/** The form filled in again from what is shown of a connected storage: everything but its key. */
export function knownParts(store: {
  readonly kind: "s3" | "cloudinary";
  readonly shown: Readonly<Record<string, string>>;
  readonly publicBase: string | null;
}): Partial<StorageParts> {
  const { bucket = "", endpoint = "", region = "", style = "", cloud = "" } = store.shown;
  if (store.kind === "cloudinary") return { provider: "cloudinary", cloud, region };
  const publicAddress = store.publicBase ?? "";
  const [, account, jurisdiction = ""] = /^([^.]+)(?:\.([^.]+))?\.r2\.cloudflarestorage\.com$/.exec(endpoint) ?? [];
  if (account !== undefined) return { provider: "r2", account, jurisdiction, bucket, publicAddress };
  return { provider: "s3", host: endpoint, bucket, region, style: style as StorageParts["style"], publicAddress };
}

/** The least that the key must be allowed to do, as AWS and others read it. */
export const policyFor = (bucket: string, websiteId: string): string =>
  JSON.stringify(
    {
      Version: "2012-10-17",
      Statement: [
        {
          Effect: "Allow",
          Action: ["s3:GetObject", "s3:PutObject", "s3:DeleteObject"],
          Resource: `arn:aws:s3:::${bucket}/${websiteId}/*`,
        },
        { Effect: "Allow", Action: "s3:ListBucket", Resource: `arn:aws:s3:::${bucket}` },
      ],
    },
    null,
    2,
  );
