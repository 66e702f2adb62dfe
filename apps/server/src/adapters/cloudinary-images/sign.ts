import { createHash } from "node:crypto";

/**
 * The signature of a question to the interface: its parameters by name, then the secret. Values are ours and have none of the characters
 * that would need escaping.
 */
export function signParameters(parameters: Readonly<Record<string, string>>, apiSecret: string): string {
  const signed = Object.keys(parameters)
    .toSorted()
    .map((name) => `${name}=${parameters[name]}`)
    .join("&");
  return createHash("sha256")
    .update(signed + apiSecret)
    .digest("hex");
}

/** The signature in the address of a file: what is done to it, and which file it is. The version is not signed. */
export const signDelivery = (path: string, apiSecret: string): string =>
  `s--${createHash("sha256")
    .update(path + apiSecret)
    .digest("base64url")
    .slice(0, 32)}--`;
