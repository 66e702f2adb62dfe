import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";
import type { Keyring, KeyPurpose, Seals } from "#ports/keyring";

/**
 * Everything made with the server secret. Each purpose has a key of its own (HKDF-SHA256), and everything made carries the
 * id of the secret it was made under: the first secret makes, all of them are accepted, so a secret can be rotated.
 */
export function createKeyring(secrets: readonly string[], random: (bytes: number) => Uint8Array = randomBytes): Keyring & Seals {
  if (secrets.length === 0 || secrets.includes(""))
    throw new Error("The keyring needs at least one server secret, and none of them empty.");
  const rings = secrets.map(ringOf) as [Ring, ...Ring[]];
  const [current] = rings;

  return {
    mac: (purpose, text) => macUnder(current, purpose, text),
    macs: (purpose, text) => rings.map((ring) => macUnder(ring, purpose, text)),

    seal(purpose, context, text) {
      const nonce = random(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, current.key(`seal ${purpose}`), nonce).setAAD(Buffer.from(context));
      const sealed = Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
      return `${SEAL_VERSION}.${current.id}.${sealed.toString("base64url")}`;
    },

    open(purpose, context, sealed) {
      const [version, secretId, encoded] = sealed.split(".");
      const ring = rings.find((candidate) => candidate.id === secretId);
      const bytes = Buffer.from(encoded ?? "", "base64url");
      if (version !== SEAL_VERSION || !ring || bytes.length < NONCE_BYTES + TAG_BYTES) return null;
      const decipher = createDecipheriv(CIPHER, ring.key(`seal ${purpose}`), bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(context))
        .setAuthTag(bytes.subarray(-TAG_BYTES));
      try {
        return decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
      } catch {
        // The tag does not fit: altered, or kept in another place than it was sealed for.
        return null;
      }
    },
  };
}

const CIPHER = "aes-256-gcm";
const SEAL_VERSION = "v1";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

interface Ring {
  /** Short, derived like a key: it names the secret and tells nothing about it. */
  readonly id: string;
  key(label: string): Buffer;
}

function ringOf(secret: string): Ring {
  const derive = (label: string, length: number) => Buffer.from(hkdfSync("sha256", secret, "stet", label, length));
  const keys = new Map<string, Buffer>();
  return {
    id: derive("secret id", 6).toString("hex"),
    key(label) {
      // Deriving costs more than the hash itself, and a key is checked on every request.
      const known = keys.get(label) ?? derive(label, KEY_BYTES);
      keys.set(label, known);
      return known;
    },
  };
}

function macUnder(ring: Ring, purpose: KeyPurpose, text: string): { hash: string; secretId: string } {
  return {
    hash: createHmac("sha256", ring.key(`mac ${purpose}`))
      .update(text)
      .digest("hex"),
    secretId: ring.id,
  };
}
