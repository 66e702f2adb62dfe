import { createPrivateKey } from "node:crypto";
import type { JWK } from "oidc-provider";
import { isSameSecret } from "#domain/same-secret";
import type { TransportServices } from "#operations/kernel/transport-services";

/** The keys that sign the library's cookies: the current secret first, older ones still accepted. */
export const cookieKeys = ({ keyring }: TransportServices): string[] => keyring.macs("oauth", "cookies").map(({ hash }) => hash);

/** The bytes before the 32 bytes of an Ed25519 key in PKCS #8. */
const ED25519 = Buffer.from("302e020100300506032b657004220420", "hex");

/**
 * The library wants a key to sign with, although nothing is signed here: tokens are opaque and nobody gets an id token. It
 * comes from the server secret, so that every node has the same and none has to keep it.
 */
export function signingKey({ keyring }: TransportServices): JWK {
  const seed = Buffer.from(keyring.mac("oauth", "signing key").hash, "hex");
  const key = createPrivateKey({ key: Buffer.concat([ED25519, seed]), format: "der", type: "pkcs8" });
  return { ...key.export({ format: "jwk" }), alg: "EdDSA", use: "sig" } as JWK;
}

/** A form of the consent page carries this: only the page of this session, for this question in these words, has it. */
export const formToken = ({ keyring }: TransportServices, sessionId: string, question: string): string =>
  keyring.mac("oauth", `consent ${sessionId} ${question}`).hash;

export const isFormToken = ({ keyring }: TransportServices, sessionId: string, question: string, token: string): boolean =>
  keyring.macs("oauth", `consent ${sessionId} ${question}`).some(({ hash }) => isSameSecret(hash, token));

/**
 * The refresh token that follows another one. It is derived and not random, so that whoever shows the same token at the same moment, on
 * whichever node, is given the same one, and nothing has to be kept for it. Without the server secret nobody can tell it.
 */
export const successorOf = ({ keyring }: TransportServices, refreshToken: string): string =>
  Buffer.from(keyring.mac("oauth", `refresh token after ${refreshToken}`).hash, "hex").toString("base64url");
