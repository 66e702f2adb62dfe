import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** A receiver refuses what was signed longer ago, or further ahead, than this. */
const TOLERANCE_SECONDS = 5 * 60;

/** A new signing secret: 256 random bits. Shown once; kept sealed. */
export const makeWebhookSecret = (random: (bytes: number) => Uint8Array = randomBytes): string =>
  `whsec_${Buffer.from(random(32)).toString("base64url")}`;

/**
 * The value of `Service-Signature`: `t=<unix seconds>,v1=<hex>`, over `<t>.<raw body>`. The key is the whole secret string. While an
 * old secret still counts there is one `v1` for each, so that a receiver can change over at any moment.
 */
export function signWebhook(body: string, secrets: readonly string[], now: Date): string {
  const t = Math.floor(now.getTime() / 1_000);
  return [`t=${t}`, ...secrets.map((secret) => `v1=${hmac(secret, t, body)}`)].join(",");
}

/** Verifies a signature as a receiver does. Ours is for the tests and the docs: it says in code what the header promises. */
export function verifyWebhook(header: string, body: string, secret: string, now: Date): boolean {
  const parts = header.split(",").map((part) => part.split("=", 2) as [string, string?]);
  const t = Number(parts.find(([name]) => name === "t")?.[1] ?? Number.NaN);
  if (!Number.isInteger(t) || Math.abs(now.getTime() / 1_000 - t) > TOLERANCE_SECONDS) return false;
  const expected = Buffer.from(hmac(secret, t, body));
  return parts.some(([name, value]) => {
    const given = Buffer.from(value ?? "");
    return name === "v1" && given.length === expected.length && timingSafeEqual(given, expected);
  });
}

const hmac = (secret: string, t: number, body: string): string => createHmac("sha256", secret).update(`${t}.${body}`).digest("hex");
