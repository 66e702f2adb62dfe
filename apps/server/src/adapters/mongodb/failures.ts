import {
  MongoBulkWriteError,
  MongoClientClosedError,
  MongoError,
  MongoNetworkError,
  MongoNotConnectedError,
  MongoServerError,
  MongoServerSelectionError,
  MongoTopologyClosedError,
} from "mongodb";
import { fail } from "#domain/failure";

const DUPLICATE_KEY = 11_000;

/**
 * The codes of a server that cannot serve now: unreachable hosts, elections and shutdowns, a spent time limit,
 * a failed or revoked login, a full disk or quota. They all mean the same to a writer: nothing was lost, try again.
 */
const UNABLE = new Set([
  6, 7, 13, 18, 50, 64, 89, 91, 112, 133, 189, 262, 8000, 9001, 10107, 11600, 11602, 13388, 13435, 13436, 14031, 16500,
]);

/** What a server says that does not do it, now or later: a user without the right, a full disk. */
const REFUSED: Readonly<Record<number, string>> = {
  13: "The user of the content database is not allowed to do this: it may have been changed to only read. Nothing was lost; check its rights, then save again.",
  14031: "The disk of the content database is full. Nothing was lost; make room there, then save again.",
};

/** Nothing of it was done, and nothing of it is still on its way. */
export const isRefused = (error: unknown): boolean =>
  error instanceof MongoServerError && typeof error.code === "number" && error.code in REFUSED;

export const isDuplicate = (error: unknown): boolean => error instanceof MongoServerError && error.code === DUPLICATE_KEY;

/** The connection broke or the server stepped down: whether the write was applied is not known. */
export function isUnreachable(error: unknown): boolean {
  // Several writes in one: the driver dresses whatever ended them as a server's answer.
  if (error instanceof MongoBulkWriteError && error.errorResponse instanceof Error) return isUnreachable(error.errorResponse);
  if (error instanceof MongoServerError) {
    return (typeof error.code === "number" && UNABLE.has(error.code)) || error.hasErrorLabel("RetryableWriteError");
  }
  return (
    error instanceof MongoNetworkError ||
    error instanceof MongoServerSelectionError ||
    error instanceof MongoNotConnectedError ||
    error instanceof MongoTopologyClosedError ||
    error instanceof MongoClientClosedError ||
    // The pool's own errors are not exported.
    (error instanceof MongoError && /^Mongo(Pool|WaitQueue|ConnectionPool)/.test(error.name))
  );
}

function translated(error: unknown): unknown {
  if (!isUnreachable(error)) return error;
  const failure = isRefused(error)
    ? fail("CONTENT_STORE_UNAVAILABLE", REFUSED[Number((error as MongoServerError).code)]!, { reason: "refused" })
    : fail("CONTENT_STORE_UNAVAILABLE", "The content database is not responding. Nothing was lost; try again in a moment.");
  failure.cause = error;
  return failure;
}

/** The promise of the port, kept in one place for every method: a connection that fails is this refusal and nothing else. */
export async function translateOutage<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw translated(error);
  }
}

export function translateOutages<Store extends object>(store: Store): Store {
  const methods = Object.entries(store as Record<string, (...args: unknown[]) => Promise<unknown>>);
  return Object.fromEntries(
    methods.map(([name, method]) => [name, (...args: unknown[]) => translateOutage(() => method(...args))]),
  ) as unknown as Store;
}
