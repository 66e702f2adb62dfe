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
  toolCall: "call",
  suggestion: "sug",
  change: "chg",
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
export type WebhookId = Brand<"WebhookId">;
export type DeliveryId = Brand<"DeliveryId">;
export type EventId = Brand<"EventId">;
export type GrantId = Brand<"GrantId">;
export type UserId = Brand<"UserId">;
export type RequestId = Brand<"RequestId">;
export type InvitationId = Brand<"InvitationId">;
export type ActivityId = Brand<"ActivityId">;
export type ToolCallId = Brand<"ToolCallId">;
export type SuggestionId = Brand<"SuggestionId">;
type ChangeId = Brand<"ChangeId">;

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
  webhook: WebhookId;
  delivery: DeliveryId;
  event: EventId;
  grant: GrantId;
  user: UserId;
  request: RequestId;
  invitation: InvitationId;
  activity: ActivityId;
  toolCall: ToolCallId;
  suggestion: SuggestionId;
  change: ChangeId;
}

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const SUFFIX = /^[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$/;
/** Every two characters there are, by the 10 bits they stand for: every request gets an id, so making one must cost little. */
const PAIRS: readonly string[] = [...ALPHABET].flatMap((left) => [...ALPHABET].map((right) => left + right));
const TWO_TO_30 = 2 ** 30;

/** Requests come between everything else and have a clock of their own, so they have a counter of their own. */
const requests = { millis: 0, counter: 0, high: 0, tail: "" };
const others = { millis: 0, counter: 0, high: 0, tail: "" };

/** A new id. Ids made in one process in one millisecond still sort in the order they were made. */
export function newId<K extends IdKind>(kind: K, now: number = Date.now()): IdTypes[K] {
  // 12 bits after the time are a counter (RFC 9562, 6.2 method 1), so that order within a millisecond is kept.
  const last = kind === "request" ? requests : others;
  const isSameMillisecond = now === last.millis;
  last.counter = isSameMillisecond ? (last.counter + 1) & 0xfff : 0;
  last.millis = now;
  // The id of a request opens nothing: those of one millisecond may differ by the counter alone.
  if (!isSameMillisecond || last === others) {
    last.high = random32();
    last.tail = pairs30(last.high) + pairs30(random32());
  }
  return `${PREFIXES[kind]}_${headOf(now, last.counter, last.high)}${last.tail}` as IdTypes[K];
}

/** The same id every time for the same bytes: sample content is the same in every install. */
export function idFromBytes<K extends IdKind>(kind: K, seed: Uint8Array, now: number): IdTypes[K] {
  const byte = (index: number): number => seed[index] ?? 0;
  const sequence = (byte(6) << 4) | (byte(7) >> 4);
  const high = ((byte(8) & 0x3f) << 26) | (byte(9) << 18) | (byte(10) << 10) | (byte(11) << 2) | (byte(12) >> 6);
  const low = ((byte(12) & 0x3f) << 24) | (byte(13) << 16) | (byte(14) << 8) | byte(15);
  return `${PREFIXES[kind]}_${headOf(now, sequence, high)}${pairs30(high)}${pairs30(low)}` as IdTypes[K];
}

export function isId<K extends IdKind>(kind: K, text: string): text is IdTypes[K] {
  const prefix = PREFIXES[kind];
  return text.startsWith(`${prefix}_`) && SUFFIX.test(text.slice(prefix.length + 1));
}

/**
 * A UUIDv7 as 26 characters of 5 bits (the first carries 3), most significant first: 48 bits of time, the version (7), 12 bits
 * of sequence, the variant (binary 10), 62 bits of `high` (32 of them) and `low` (30). These are those before the last 60 bits.
 */
const headOf = (now: number, sequence: number, high: number): string =>
  timeText(now) + PAIRS[0x1c0 | (sequence >> 6)]! + PAIRS[((sequence & 0x3f) << 4) | 0x8 | (high >>> 30)]!;

/** The lower 30 bits. */
const pairs30 = (bits: number): string => PAIRS[(bits >>> 20) & 0x3ff]! + PAIRS[(bits >>> 10) & 0x3ff]! + PAIRS[bits & 0x3ff]!;

let timed = -1;
let timedText = "";

function timeText(now: number): string {
  if (now === timed) return timedText;
  const high = Math.floor(now / TWO_TO_30);
  timedText = PAIRS[(high >> 10) & 0x3ff]! + PAIRS[high & 0x3ff]! + pairs30(now % TWO_TO_30);
  timed = now;
  return timedText;
}

/** Fetched many at a time: asking for eight bytes costs as much as asking for a page of them. */
const pool = new Uint32Array(1_024);
let pooled = 0;

function random32(): number {
  if (pooled === 0) {
    randomFillSync(pool);
    pooled = pool.length;
  }
  pooled -= 1;
  return pool[pooled]!;
}
