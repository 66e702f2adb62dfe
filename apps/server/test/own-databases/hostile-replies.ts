import { deflateSync } from "node:zlib";
import { BSON, type Document } from "mongodb";
import { header, HELLO } from "./scripted-cluster.ts";

const cstring = (text: string) => Buffer.from(`${text}\0`);
export function documentOf(elements: Buffer): Buffer {
  const made = Buffer.alloc(elements.length + 5);
  made.writeInt32LE(made.length, 0);
  elements.copy(made, 4);
  return made;
}
export const plain = (document: Buffer) => Buffer.concat([header(21 + document.length, 2013), Buffer.alloc(5), document]);
const nested = (depth: number): Document => (depth === 0 ? {} : { a: nested(depth - 1) });

const named = (count: number): Document => Object.fromEntries(Array.from({ length: count }, (_, n) => [`name ${n}`, n]));
const listOf = (...found: readonly Document[]): Document => ({ cursor: { id: BSON.Long.ZERO, ns: "b.b", firstBatch: found }, ok: 1 });

/** Replies that no server sends, by what the gate says about them. */
export const HOSTILE: Readonly<Record<string, () => Buffer>> = {
  "larger than 20 MB": () => Buffer.concat([header(48_000_000, 2013), Buffer.alloc(48_000_000 - 16)]),
  "larger than 20 MB ": () => header(0x7fff_ffff, 2013),
  "shorter than it can be": () => header(-1, 2013),
  compressed: () => {
    const bomb = deflateSync(Buffer.alloc(64_000_000));
    const start = Buffer.alloc(9);
    start.writeInt32LE(2013, 0);
    start.writeInt32LE(64_000_000, 4);
    start.writeUInt8(2, 8);
    return Buffer.concat([header(25 + bomb.length, 2012), start, bomb]);
  },
  "lengths that do not fit": () => Buffer.concat([header(4_000_000, 2013), Buffer.alloc(4_000_000 - 16)]),
  "exactly one document": () => Buffer.concat([header(30, 2013), Buffer.from([0, 0, 0, 0, 1]), Buffer.alloc(9)]),
  "exactly one document ": () => Buffer.concat([header(26, 2013), Buffer.from([2, 0, 0, 0, 0]), documentOf(Buffer.alloc(0))]),
  "not a message": () => Buffer.from("HTTP/1.1 400 Bad Request\r\n\r\n"),
  "too many elements": () => {
    const list = documentOf(Buffer.alloc(15_000_000, Buffer.from([0x0a, 0])));
    return plain(documentOf(Buffer.concat([Buffer.from([0x04]), cstring("list"), list])));
  },
  "too many elements ": () => plain(documentOf(Buffer.alloc(2_000_000, Buffer.from([0x0a, 0x61, 0])))),
  "too many elements  ": () => plain(Buffer.from(BSON.serialize(listOf(named(3_000))))),
  "too many elements   ": () => plain(Buffer.from(BSON.serialize(listOf({ list: Array.from({ length: 160_000 }, () => 1) })))),
  "nested too deeply": () => plain(Buffer.from(BSON.serialize(nested(5_000)))),
  "unknown type": () => plain(documentOf(Buffer.from([0x0f, 0x61, 0]))),
  "field hosts": () => plain(Buffer.from(BSON.serialize({ ...HELLO, hosts: Array.from({ length: 1_000 }, (_, n) => `h${n}.test:1`) }))),
  "too long for a handshake": () =>
    plain(Buffer.from(BSON.serialize({ ...HELLO, hosts: Array.from({ length: 100_000 }, (_, n) => `h${n}.test:1`) }))),
};
