/** What a derived key is for: one HKDF label each, so that no key serves two purposes. */
export type KeyPurpose = "api-key" | "invitation" | "preview" | "session" | "setup";

/** Keyed hashes under the server secret. Rows keep `secretId`, so that the secret can be rotated without killing them. */
export interface Keyring {
  /** Under the current secret. */
  mac(purpose: KeyPurpose, text: string): { hash: string; secretId: string };
  /** Under every secret still accepted, the current one first: for look-ups by hash. */
  macs(purpose: KeyPurpose, text: string): readonly { hash: string; secretId: string }[];
}
