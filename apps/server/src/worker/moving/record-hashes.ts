import { hash } from "node:crypto";
import { createChecksums } from "#domain/content-checksum";
import { RECORD_KINDS, type RecordKind } from "#ports/change-feed";

const NAME_BYTES = 16;
const HASH_BYTES = 32;
const ENTRY_BYTES = NAME_BYTES + HASH_BYTES + 1;
/** Where the kind stands, of an entry that was taken out again. */
const GONE = 255;
const PAGE_ENTRIES = 4_096;

/**
 * The hash of each record by its name, in some 60 bytes each and outside of the heap: a website may have millions of records, and a map of
 * texts takes five times as much. Of a name only a fingerprint is kept, which two records do not share in the life of the universe.
 */
export function createRecordHashes() {
  const pages: Buffer[] = [];
  let count = 0;
  /** The numbers of entries, from 1, at the place that their fingerprint gives or behind it; always half empty. */
  let places = new Int32Array(1_024);

  const entryAt = (number: number): Buffer => {
    const from = ((number - 1) % PAGE_ENTRIES) * ENTRY_BYTES;
    return pages[Math.floor((number - 1) / PAGE_ENTRIES)]!.subarray(from, from + ENTRY_BYTES);
  };
  /** The place of this name, or the free one where it would be. */
  const placeOf = (fingerprint: Buffer): number => {
    const mask = places.length - 1;
    let place = fingerprint.readUInt32LE(0) & mask;
    while (places[place] !== 0 && fingerprint.compare(entryAt(places[place]!), 0, NAME_BYTES) !== 0) place = (place + 1) & mask;
    return place;
  };
  const find = (fingerprint: Buffer): Buffer | null => {
    const number = places[placeOf(fingerprint)]!;
    return number === 0 ? null : entryAt(number);
  };
  const add = (fingerprint: Buffer): Buffer => {
    if ((count + 1) * 2 > places.length) {
      places = new Int32Array(places.length * 2);
      for (let number = 1; number <= count; number++) places[placeOf(entryAt(number).subarray(0, NAME_BYTES))] = number;
    }
    if (count % PAGE_ENTRIES === 0) pages.push(Buffer.alloc(PAGE_ENTRIES * ENTRY_BYTES));
    places[placeOf(fingerprint)] = ++count;
    const entry = entryAt(count);
    fingerprint.copy(entry);
    return entry;
  };

  return {
    has(name: string): boolean {
      const entry = find(fingerprintOf(name));
      return entry !== null && entry[ENTRY_BYTES - 1] !== GONE;
    },
    set(name: string, kind: RecordKind, hashed: string): void {
      const fingerprint = fingerprintOf(name);
      const entry = find(fingerprint) ?? add(fingerprint);
      entry.write(hashed, NAME_BYTES, "hex");
      entry[ENTRY_BYTES - 1] = RECORD_KINDS.indexOf(kind);
    },
    delete(name: string): void {
      const entry = find(fingerprintOf(name));
      if (entry) entry[ENTRY_BYTES - 1] = GONE;
    },
    sums() {
      const sums = createChecksums(RECORD_KINDS);
      for (let number = 1; number <= count; number++) {
        const entry = entryAt(number);
        const kind = RECORD_KINDS[entry[ENTRY_BYTES - 1]!];
        if (kind) sums.addHash(kind, entry.toString("hex", NAME_BYTES, NAME_BYTES + HASH_BYTES));
      }
      return sums.result();
    },
  };
}

const fingerprintOf = (name: string): Buffer => hash("sha256", name, "buffer").subarray(0, NAME_BYTES);
