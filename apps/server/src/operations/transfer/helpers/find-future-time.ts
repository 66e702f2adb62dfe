import { DAY, millis, type Timestamp, timestamp } from "#domain/time";
import type { ContentRecord } from "./records.ts";

/** Clocks differ, but not by more. */
const LEEWAY_MILLIS = DAY;

/**
 * The name of a time that lies in the past wherever it was written, and here in the future; null when there is none. History is kept and
 * folded by these: one that is never over would take in every later save.
 */
export function findFutureTime(record: ContentRecord, now: Timestamp): string | null {
  const latest = timestamp(millis(now) + LEEWAY_MILLIS);
  const late = Object.entries(timesOf(record)).find(([, time]) => time && time > latest);
  return late?.[0] ?? null;
}

function timesOf(record: ContentRecord): Readonly<Record<string, Timestamp | null | undefined>> {
  switch (record.type) {
    case "term":
      return { createdAt: record.createdAt, updatedAt: record.updatedAt };
    case "media":
      return { createdAt: record.createdAt, updatedAt: record.updatedAt, deletedAt: record.deletedAt };
    case "post":
      return {
        createdAt: record.createdAt,
        editedAt: record.editedAt,
        deletedAt: record.deletedAt,
        "live.updatedAt": record.live?.updatedAt,
        "review.requestedAt": record.review?.requestedAt,
      };
    case "revision":
      return { startedAt: record.startedAt, at: record.at };
    case "file":
      return {};
  }
}
