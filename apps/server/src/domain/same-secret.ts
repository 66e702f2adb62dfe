import { timingSafeEqual } from "node:crypto";

/** Whether both are the same, found out in a time that does not tell how far they agree. Their length is no secret. */
export function isSameSecret(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
