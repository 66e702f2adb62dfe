import { timingSafeEqual } from "node:crypto";
import { type GrantId, isId, type PostId, type UserId, type WebsiteId } from "#domain/ids";
import { HOUR, SECOND } from "#domain/time";

/** How long a preview can be read, in milliseconds. */
export const PREVIEW_MILLIS = HOUR;

/** The post that a preview shows, and the person who made it: it ends with its maker's access. */
export interface PreviewClaims {
  readonly websiteId: WebsiteId;
  readonly postId: PostId;
  readonly userId: UserId;
  /** Set when a connected tool made it. */
  readonly grantId: GrantId | null;
  /** In milliseconds, a whole second. */
  readonly expiresAt: number;
}

/** A keyed hash of a text, in hex, under the secret that signs; for reading, under every secret still accepted. */
type Sign = (text: string) => string;
type Signatures = (text: string) => readonly string[];

const VERSION = "p1";
const LONGEST = 512;

/** `<claims>.<signature>`, both base64url: nothing is stored, so only a reader who was given the token can look anything up. */
export function writePreviewToken(claims: PreviewClaims, sign: Sign): string {
  const { websiteId, postId, userId, grantId, expiresAt } = claims;
  const text = [VERSION, websiteId, postId, userId, grantId ?? "", String(expiresAt / SECOND)].join(" ");
  return `${Buffer.from(text).toString("base64url")}.${Buffer.from(sign(text), "hex").toString("base64url")}`;
}

/** The claims of a token that we signed and that has not ended; null for everything else. */
export function readPreviewToken(token: string, signatures: Signatures, now: number): PreviewClaims | null {
  if (token.length > LONGEST || !/^[\w-]+\.[\w-]+$/.test(token)) return null;
  const [encoded, signature] = token.split(".") as [string, string];
  const text = Buffer.from(encoded, "base64url").toString();
  const given = Buffer.from(signature, "base64url");
  const isOurs = signatures(text).some((hex) => {
    const ours = Buffer.from(hex, "hex");
    return ours.length === given.length && timingSafeEqual(ours, given);
  });
  const claims = isOurs ? claimsOf(text.split(" ")) : null;
  return claims && now < claims.expiresAt ? claims : null;
}

function claimsOf([version, websiteId = "", postId = "", userId = "", grantId = "", seconds]: readonly string[]): PreviewClaims | null {
  if (version !== VERSION || !isId("website", websiteId) || !isId("post", postId) || !isId("user", userId)) return null;
  if (grantId !== "" && !isId("grant", grantId)) return null;
  return { websiteId, postId, userId, grantId: grantId === "" ? null : grantId, expiresAt: Number(seconds) * SECOND };
}
