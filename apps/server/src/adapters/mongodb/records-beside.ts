import { z } from "zod";
import type { WebsiteId } from "#domain/ids";
import type { RecordBeside, RecordsBeside } from "#ports/records-beside";
import { type Context, onlyWebsiteFilter, type Stored } from "./context.ts";
import { keyOf, partsOf, websiteOf } from "./keys.ts";
import { readPage, sweep } from "./paging.ts";
import { dateOf, flag, jsonObject, moment, parsed, text, whole } from "./schemas.ts";
import { removeMany, writeIf } from "./writes.ts";

const stored = z.object({
  kind: z.enum(["suggestion", "change"]),
  targetId: text,
  version: whole,
  open: flag,
  at: moment,
  data: jsonObject,
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
      const found = await beside.findOne({ _id: keyOf(websiteId, id), gone: { $exists: false } });
      return found && toRecord(websiteId, found);
    },
    insert: (record) => write(record, null),
    save: (record) => write(record, { version: record.version - 1 }),
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
    listClosedBefore(before, limit) {
      const filter = { ...onlyWebsiteFilter(context), open: false, at: { $lt: dateOf(before) } };
      return sweep(beside, { filter, sort: { at: 1 }, limit, projection: { _id: 1 } }, ({ _id }) => {
        const websiteId = websiteOf(_id);
        const [id] = (websiteId && partsOf(websiteId, _id)) ?? [];
        return websiteId && id ? { websiteId, id } : null;
      });
    },
  };
}
