import { z } from "zod";

/** As much as an SMTP path may hold (RFC 5321). */
const LONGEST = 254;
const address = z.email();

/**
 * The form in which addresses are kept and compared: trimmed, lower case. Null when it is not an address. It is checked
 * before it is lowered: some letters of other scripts become ASCII then, and would name somebody else's account.
 */
export function normaliseEmail(text: string): string | null {
  const trimmed = text.trim();
  return trimmed.length <= LONGEST && address.safeParse(trimmed).success ? trimmed.toLowerCase() : null;
}
