/** The purpose of a derived key: one HKDF label each, so that no key serves two purposes. */
export type KeyPurpose =
  | "api-key"
  | "invitation"
  | "invitation-mail"
  | "known-device"
  | "oauth"
  | "preview"
  | "rate-bucket"
  | "session"
  | "setup"
  | "visitor";

/** Keyed hashes under the server secret. Rows keep `secretId`, so that the secret can be rotated without killing them. */
export interface Keyring {
  /** Under the current secret. */
  mac(purpose: KeyPurpose, text: string): { hash: string; secretId: string };
  /** Under every secret still accepted, the current one first: for look-ups by hash. */
  macs(purpose: KeyPurpose, text: string): readonly { hash: string; secretId: string }[];
}

/** The kinds of data that are encrypted at rest and must be readable again. */
type SealPurpose = "canary" | "credentials" | "oauth" | "webhook";

/** Encryption at rest under the server secret. */
export interface Seals {
  /**
   * Encrypts under the current secret. `context` names the row that keeps it, such as the website's id: copied
   * into another row it does not open.
   */
  seal(purpose: SealPurpose, context: string, text: string): string;
  /** Null when it was altered, moved, or sealed under a secret that is no longer given. */
  open(purpose: SealPurpose, context: string, sealed: string): string | null;
}
