import { randomFillSync } from "node:crypto";

/**
 * TypeIDs: a prefix that says what it is, and a UUIDv7 in 26 characters of Crockford's base 32. They sort by creation
 * time and compare the same way, byte by byte, in every engine. Only this file makes one.
 */
const PREFIXES = {
  workspace: "ws",
  website: "site",
  post: "post",
  revision: "rev",
  category: "cat",
  tag: "tag",
  author: "author",
  media: "media",
  key: "key",
  webhook: "wh",
  delivery: "dlv",
  event: "evt",
  grant: "grant",
  user: "user",
  request: "req",
  invitation: "inv",
  activity: "act",
} as const;

export type IdKind = keyof typeof PREFIXES;
type Brand<K extends string> = string & { readonly __kind: K };

export type WorkspaceId = Brand<"WorkspaceId">;
export type WebsiteId = Brand<"WebsiteId">;
export type PostId = Brand<"PostId">;
export type RevisionId = Brand<"RevisionId">;
export type TermId = Brand<"TermId">;
export type MediaId = Brand<"MediaId">;
export type KeyId = Brand<"KeyId">;
export type EventId = Brand<"EventId">;
export type GrantId = Brand<"GrantId">;
export type UserId = Brand<"UserId">;
export type RequestId = Brand<"RequestId">;
export type InvitationId = Brand<"InvitationId">;
export type ActivityId = Brand<"ActivityId">;

interface IdTypes {
  workspace: WorkspaceId;
  website: WebsiteId;
  post: PostId;
  revision: RevisionId;
  category: TermId;
  tag: TermId;
  author: TermId;
  media: MediaId;
  key: KeyId;
  webhook: Brand<"WebhookId">;
  delivery: Brand<"DeliveryId">;
  event: EventId;
  grant: GrantId;
  user: UserId;
  request: RequestId;
  invitation: InvitationId;
  activity: ActivityId;
}

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const SUFFIX = /^[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$/;

let lastMillis = 0;
let counter = 0;

/** A new id. Ids made in one process in one millisecond still sort in the order they were made. */
export function newId<K extends IdKind>(kind: K, now: number = Date.now()): IdTypes[K] {
  const bytes = randomFillSync(new Uint8Array(16));
  // 12 bits after the time are a counter (RFC 9562, 6.2 method 1), so that order within a millisecond is kept.
  counter = now === lastMillis ? (counter + 1) & 0xfff : 0;
  lastMillis = now;
  return `${PREFIXES[kind]}_${encode(stamp(bytes, now, counter))}` as IdTypes[K];
}

/** The same id every time for the same bytes: sample content is the same in every install. */
export function idFromBytes<K extends IdKind>(kind: K, seed: Uint8Array, now: number): IdTypes[K] {
  return `${PREFIXES[kind]}_${encode(stamp(Uint8Array.from(seed.subarray(0, 16)), now, (seed[6]! << 4) | (seed[7]! >> 4)))}` as IdTypes[K];
}

export function isId<K extends IdKind>(kind: K, text: string): text is IdTypes[K] {
  const prefix = PREFIXES[kind];
  return text.startsWith(`${prefix}_`) && SUFFIX.test(text.slice(prefix.length + 1));
}

function stamp(bytes: Uint8Array, now: number, sequence: number): Uint8Array {
  let millis = now;
  for (let i = 5; i >= 0; i--) {
    bytes[i] = millis % 256;
    millis = Math.floor(millis / 256);
  }
  bytes[6] = 0x70 | (sequence >> 8);
  bytes[7] = sequence & 0xff;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes;
}

/** 128 bits, most significant first, as 26 characters of 5 bits (the first carries 3). */
function encode(bytes: Uint8Array): string {
  let value = 0n;
  for (const byte of bytes) value = (value << 8n) | BigInt(byte);
  let text = "";
  for (let i = 0; i < 26; i++) {
    text = ALPHABET[Number(value & 31n)]! + text;
    value >>= 5n;
  }
  return text;
}
