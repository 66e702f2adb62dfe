import { createHmac, randomBytes } from "node:crypto";

export const makeSecret = (): string => `whsec_${randomBytes(32).toString("base64url")}`;

/** The value of `Service-Signature`, as docs/webhooks.md defines it and as the service makes it. */
export function signEvent(body: string, secret: string, now: Date): string {
  const t = Math.floor(now.getTime() / 1_000);
  return `t=${t},v1=${createHmac("sha256", secret).update(`${t}.${body}`).digest("hex")}`;
}
