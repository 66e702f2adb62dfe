import type { WebhookEvent } from "./api-types.ts";
import { StetError } from "./error.ts";

export interface SignedBody {
  /** The body as it came, before anything parsed it. */
  readonly body: string | Uint8Array | ArrayBuffer;
  /** The header `Service-Signature`. */
  readonly signature: string | null | undefined;
}

export interface VerifyOptions {
  /** `whsec_…`, shown once by the dashboard; several while one replaces another. Undefined is refused with what to do. */
  readonly secret: string | readonly string[] | undefined;
  /** How long ago, or ahead, it may have been signed; 300 unless told. */
  readonly toleranceSeconds?: number | undefined;
}

/** The event, if it was signed with the secret a moment ago; throws `INVALID_SIGNATURE` otherwise. `now` is in milliseconds. */
export async function verifyWebhook(received: Request | SignedBody, options: VerifyOptions, now = Date.now()): Promise<WebhookEvent> {
  if (typeof received !== "object" || received === null) throw parsedBody();
  const { body, signature } = "headers" in received ? await readRequest(received) : received;
  const secrets = (typeof options.secret === "string" ? [options.secret] : [...(options.secret ?? [])]).filter(Boolean);
  if (secrets.length === 0) throw new StetError("secret is missing. Is the environment variable set?", { code: "INVALID_INPUT" });
  const bytes = bytesOf(body);
  const { t, given } = partsOf(signature ?? "");
  const tolerance = options.toleranceSeconds ?? 300;
  if (!(Math.abs(now / 1_000 - t) <= tolerance)) {
    throw refused(
      Number.isNaN(t)
        ? "There is no Service-Signature header, or it is not one of Stet's."
        : "It was signed too long ago, or the clock is wrong.",
    );
  }
  const signed = new Uint8Array([...new TextEncoder().encode(`${t}.`), ...bytes]);
  const expected = await Promise.all(secrets.map((secret) => hmac(secret, signed)));
  // All are compared, so that the time it takes tells nothing.
  const matches = expected.flatMap((wanted) => given.filter((one) => isSame(wanted, one)));
  if (matches.length === 0) throw refused("The signature does not match. Is it the secret of this endpoint, and the body as it came?");
  return JSON.parse(new TextDecoder().decode(bytes)) as WebhookEvent;
}

async function readRequest(request: Request): Promise<SignedBody> {
  const signature = typeof request.headers?.get === "function" ? request.headers.get("service-signature") : null;
  if (typeof request.arrayBuffer !== "function" || request.bodyUsed) throw parsedBody();
  return { body: await request.arrayBuffer(), signature };
}

function bytesOf(body: unknown): Uint8Array {
  if (typeof body === "string") return new TextEncoder().encode(body);
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  throw parsedBody();
}

const parsedBody = (): StetError =>
  new StetError(
    "The body was read or parsed already, and a signature is over the bytes as they came. Pass a Request that nobody has read, or { body, signature } with the raw body: in Express use express.raw({ type: 'application/json' }) for this route.",
    { code: "INVALID_INPUT" },
  );

function partsOf(header: string): { t: number; given: readonly string[] } {
  const parts = header.split(",").map((part) => part.trim().split("="));
  const t = parts.find(([name]) => name === "t")?.[1] ?? "";
  return {
    t: /^\d{1,12}$/.test(t) ? Number(t) : Number.NaN,
    given: parts.flatMap(([name, value]) => (name === "v1" && value ? [value] : [])),
  };
}

async function hmac(secret: string, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", new TextEncoder().encode(secret), algorithm, false, ["sign"]);
  return [...new Uint8Array(await crypto.subtle.sign("HMAC", key, bytes))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Takes as long whatever differs. */
function isSame(left: string, right: string): boolean {
  let difference = left.length ^ right.length;
  for (let index = 0; index < left.length; index++) difference |= left.charCodeAt(index) ^ right.charCodeAt(index % (right.length || 1));
  return difference === 0;
}

const refused = (message: string): StetError => new StetError(message, { code: "INVALID_SIGNATURE" });
