import { z } from "zod";
import type { WebsiteId } from "#domain/ids";
import type { RecordBeside, RecordsBeside } from "#ports/records-beside";
import { type Context, sweptWebsites, type Stored } from "./context.ts";
import { keyOf, partsOf, websiteOf } from "./keys.ts";
import { readPage, sweep } from "./paging.ts";
import { dateOf, flag, jsonObject, line, moment, parsed, whole } from "./schemas.ts";
import { removeMany, writeIf, writeIfNewer } from "./writes.ts";

const stored = z.object({
  kind: z.enum(["suggestion", "change"]),
  targetId: line,
  version: whole,
  open: flag,
  at: moment,
  // A suggestion holds a whole post.
  data: jsonObject(14_000_000),
});

const toDocument = ({ id: _, websiteId, ...record }: RecordBeside): Record<string, unknown> => ({
  ...record,
  w: websiteId,
  at: dateOf(record.at),
  data: JSON.stringify(record.data),
});

export function mongoRecordsBeside(context: Context): RecordsBeside {
  const { beside } = context;
  const toRecord = (websiteId: WebsiteId, document: Stored): RecordBeside | null => {
    const [id = "", ...more] = partsOf(websiteId, document._id) ?? [];
    const found = parsed(context, "beside", document, () => (id !== "" && more.length === 0 ? stored.safeParse(document) : null));
    return found && { ...found, id, websiteId };
  };
  const write = (record: RecordBeside, expected: { version: number } | null) =>
    writeIf(context, {
      collection: beside,
      websiteId: record.websiteId,
      key: keyOf(record.websiteId, record.id),
      expected,
      document: toDocument(record),
    });
  return {
    async get(websiteId, id) {
      const found = await beside.findOne({ _id: keyOf(websiteId, id), w: websiteId, gone: { $exists: false } });
      return found && toRecord(websiteId, found);
    },
    insert: (record) => write(record, null),
    save: (record) => write(record, { version: record.version - 1 }),
    putIfNewer: (record) =>
      writeIfNewer(
        context,
        { collection: beside, websiteId: record.websiteId, key: keyOf(record.websiteId, record.id), document: toDocument(record) },
        record.version,
      ),
    list: (websiteId, { kind, targetId, open, after, limit }) =>
      readPage(
        beside,
        {
          filter: { w: websiteId, kind, ...(targetId !== undefined && { targetId }), ...(open && { open }) },
          order: { field: "at", type: "moment", descending: true },
          prefix: `${websiteId}/`,
          after,
          limit,
        },
        (document) => toRecord(websiteId, document),
      ),
    countOpen: (websiteId, kind) => beside.countDocuments({ w: websiteId, kind, open: true }),
    delete: (websiteId, ids) =>
      removeMany(
        context,
        beside,
        websiteId,
        ids.map((id) => keyOf(websiteId, id)),
      ),
    async listClosedBefore(before, limit) {
      const filter = { ...(await sweptWebsites(context)), open: false, at: { $lt: dateOf(before) } };
      return sweep(beside, { filter, sort: { at: 1 }, limit, projection: { _id: 1 } }, ({ _id }) => {
        const websiteId = websiteOf(_id);
        const [id] = (websiteId && partsOf(websiteId, _id)) ?? [];
        return websiteId && id ? { websiteId, id } : null;
      });
    },
  };
}
