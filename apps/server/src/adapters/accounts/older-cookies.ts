import { createHmac } from "node:crypto";
import { isSameSecret } from "#domain/same-secret";
import { type AuthSecrets, secretList } from "./auth-secrets.ts";

/**
 * The library checks cookies with its first secret only. What an older one signed is signed anew on its way in.
 * Answers the headers themselves when there was nothing to sign.
 */
export function acceptOlderCookies(
  secrets: AuthSecrets,
  /** Whose device it is that is not asked for a second factor, by what its cookie names. */
  findTrusted: (identifier: string) => Promise<string | null>,
): (headers: Headers) => Promise<Headers> {
  const [current = "", ...older] = secretList(secrets);

  const signedAnew = async (pair: string): Promise<string> => {
    const at = pair.indexOf("=");
    const name = pair.slice(0, at).trim();
    const { value, signature } = readSigned(pair.slice(at + 1).trim());
    if (!IS_OURS.test(name) || value === null) return pair;
    const signer = older.find((secret) => isSameSecret(sign(secret, value), signature));
    if (signer === undefined) return pair;
    const kept = name.endsWith(TRUSTED_DEVICE) ? await trustedAnew(value, signer) : value;
    return `${name}=${encodeURIComponent(`${kept}.${sign(current, kept)}`)}`;
  };

  /** This one holds a second signature, over the person and the row that lets the device through. */
  const trustedAnew = async (value: string, signer: string): Promise<string> => {
    const [token = "", identifier = ""] = value.split("!");
    const userId = await findTrusted(identifier);
    if (userId === null || !isSameSecret(token, trustedToken(signer, userId, identifier))) return value;
    return `${trustedToken(current, userId, identifier)}!${identifier}`;
  };

  return async (headers) => {
    const cookie = headers.get("cookie");
    if (older.length === 0 || cookie === null) return headers;
    const accepted = (await Promise.all(cookie.split(";").map(signedAnew))).join(";");
    if (accepted === cookie) return headers;
    const present = new Headers(headers);
    present.set("cookie", accepted);
    return present;
  };
}

const IS_OURS = /^(?:__Secure-)?stet[.-]/;
const TRUSTED_DEVICE = ".trust_device";

const sign = (secret: string, value: string): string => createHmac("sha256", secret).update(value).digest("base64");

const trustedToken = (secret: string, userId: string, identifier: string): string =>
  createHmac("sha256", secret).update(`${userId}!${identifier}`).digest("base64url");

function readSigned(text: string): { value: string | null; signature: string } {
  try {
    const decoded = decodeURIComponent(text);
    const dot = decoded.lastIndexOf(".");
    return dot < 1 ? { value: null, signature: "" } : { value: decoded.slice(0, dot), signature: decoded.slice(dot + 1) };
  } catch {
    return { value: null, signature: "" };
  }
}
