import { fail } from "#domain/failure";
import type { WebsiteId } from "#domain/ids";
import { type OwnImageStore, OwnStoreFault, sealContextOf } from "#domain/own-image-store";
import { type Clock, timestamp } from "#domain/time";
import type { ImageStore } from "#ports/image-store";
import type { Seals } from "#ports/keyring";
import type { OwnImages, OwnImageStores } from "#ports/own-images";
import { StoreRefusal } from "#ports/store-requests";

/** Stores that are kept open; the one used longest ago goes first. */
const MOST_OPEN = 500;
/** How long a store that fails is left alone, in milliseconds, after so many failures in a row: the first may have been bad luck. */
const PAUSES = [0, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000] as const;

interface Opened {
  /** Sealed as it was when the store was opened: another one means another key or place. */
  readonly address: string;
  readonly store: ImageStore;
  failures: number;
  downUntil: number;
  fault: string;
}

interface Options {
  readonly records: Pick<OwnImageStores, "get" | "noteError">;
  readonly seals: Seals;
  readonly own: OwnImages;
  readonly clock: Clock;
  onTrouble(message: string, error: unknown): void;
}

/**
 * The own store of each website, as it is on record at the moment of each question: a node that had opened another one before goes to the
 * right one all the same. A store that fails is not waited for by everybody: after the second failure it is left alone for a while.
 */
export function websiteImages({ records, seals, own, clock, onTrouble }: Options): (websiteId: WebsiteId) => ImageStore {
  const opened = new Map<WebsiteId, Opened>();

  const openOf = (record: OwnImageStore): Opened => {
    const known = opened.get(record.websiteId);
    opened.delete(record.websiteId);
    const entry = known?.address === record.address ? known : newEntry(record);
    opened.set(record.websiteId, entry);
    const [oldest] = opened.keys();
    if (opened.size > MOST_OPEN) opened.delete(oldest!);
    return entry;
  };
  const newEntry = ({ websiteId, address }: OwnImageStore): Opened => {
    const text = seals.open("credentials", sealContextOf(websiteId), address);
    if (text === null) throw unavailable("The server cannot read the key of the image storage any more. Enter it again.");
    return { address, store: own.open(text), failures: 0, downUntil: 0, fault: "" };
  };

  /** Null: the website has none. */
  const enter = async (websiteId: WebsiteId): Promise<{ record: OwnImageStore; entry: Opened } | null> => {
    const record = await records.get(websiteId);
    if (!record) return null;
    const entry = openOf(record);
    if (entry.downUntil > clock().getTime()) throw unavailable(entry.fault);
    return { record, entry };
  };
  const note = (websiteId: WebsiteId, error: string | null): void =>
    void records.noteError(websiteId, error, timestamp(clock())).catch((cause: unknown) => {
      onTrouble(`What the image storage of ${websiteId} said could not be written down`, cause);
    });
  const succeeded = (record: OwnImageStore, entry: Opened): void => {
    entry.failures = 0;
    if (record.error !== null) note(record.websiteId, null);
  };
  const failed = (record: OwnImageStore, entry: Opened, error: unknown, isWrite = false): Error => {
    const fault = reasonOf(error);
    // Whoever refuses to take or delete a file may be well to read from: one that is too large says nothing of the others.
    if (!isWrite || !((error as Error).cause instanceof StoreRefusal)) {
      entry.fault = fault;
      entry.downUntil = clock().getTime() + PAUSES[Math.min(entry.failures, PAUSES.length - 1)]!;
      entry.failures += 1;
    }
    if (record.error !== fault) note(record.websiteId, fault);
    return unavailable(fault);
  };
  const asking = async <T>(
    websiteId: WebsiteId,
    without: T | Error,
    work: (store: ImageStore) => Promise<T>,
    isWrite = false,
  ): Promise<T> => {
    const found = await enter(websiteId);
    if (!found && without instanceof Error) throw without;
    if (!found) return without as T;
    try {
      const answer = await work(found.entry.store);
      succeeded(found.record, found.entry);
      return answer;
    } catch (error) {
      throw failed(found.record, found.entry, error, isWrite);
    }
  };
  async function* streaming<T>(websiteId: WebsiteId, work: (store: ImageStore) => AsyncIterable<T>): AsyncGenerator<T> {
    const found = await enter(websiteId);
    if (!found) return;
    try {
      yield* work(found.entry.store);
      succeeded(found.record, found.entry);
    } catch (error) {
      throw failed(found.record, found.entry, error);
    }
  }

  return (websiteId) => ({
    put: (key, bytes, type) =>
      asking<void>(websiteId, unavailable("The website has no image storage of its own."), (store) => store.put(key, bytes, type), true),
    get: (key) => asking(websiteId, null, (store) => store.get(key)),
    size: (key) => asking(websiteId, null, (store) => store.size(key)),
    read: (key, first, last) => streaming(websiteId, (store) => store.read(key, first, last)),
    delete: (key) => asking<void>(websiteId, undefined, (store) => store.delete(key), true),
    list: (prefix) => streaming(websiteId, (store) => store.list(prefix)),
  });
}

/** The words of the adapter, which name neither the key nor a folder. */
const reasonOf = (error: unknown): string => {
  const { cause, message } = error as Error;
  return cause instanceof Error ? cause.message : message;
};

/** Readers are told that it is down; why, only those who manage it, and the log. */
function unavailable(reason: string): Error {
  const failure = fail("UNAVAILABLE", "The image storage of this website is not available right now. Nothing was lost; try again.");
  failure.cause = new OwnStoreFault(reason);
  return failure;
}
