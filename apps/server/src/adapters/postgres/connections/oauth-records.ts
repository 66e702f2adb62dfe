import type { OauthRecord, OauthRecords } from "#ports/oauth-records";
import type { Database } from "../database.ts";
import { inKeyOrder, batchLookups } from "../batch-lookups.ts";
import { CONNECTION_COLUMNS, type ConnectionRow, connectionOf } from "./grants.ts";

interface Row extends Record<string, unknown> {
  model: string;
  id_hash: string;
  payload: string;
  grant_id: string | null;
  user_code_hash: string | null;
  uid_hash: string | null;
  expires_at: string | null;
  consumed_at: string | null;
}

const COLUMNS = "model, id_hash, payload, grant_id, user_code_hash, uid_hash, expires_at, consumed_at";

const recordOf = (row: Row): OauthRecord => ({
  model: row.model,
  idHash: row.id_hash,
  payload: row.payload,
  grantId: row.grant_id,
  userCodeHash: row.user_code_hash,
  uidHash: row.uid_hash,
  expiresAt: row.expires_at === null ? null : Number(row.expires_at),
  consumedAt: row.consumed_at === null ? null : Number(row.consumed_at),
});

export function openPostgresOauthRecords(database: Database): OauthRecords {
  const findBy = async (column: "id_hash" | "user_code_hash" | "uid_hash", model: string, value: string): Promise<OauthRecord | null> => {
    const text = `SELECT ${COLUMNS} FROM oauth_records WHERE model = $1 AND ${column} = $2`;
    const { rows } = await database.query<Row>({ text, values: [model, value] });
    return rows[0] ? recordOf(rows[0]) : null;
  };
  const write = async (record: OauthRecord, onConflict: string): Promise<void> => {
    await database.query({
      text: `INSERT INTO oauth_records (${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (model, id_hash) ${onConflict}`,
      values: [
        record.model,
        record.idHash,
        record.payload,
        record.grantId,
        record.userCodeHash,
        record.uidHash,
        record.expiresAt,
        record.consumedAt,
      ],
    });
  };
  const findGranted = batchLookups(async (asked: readonly Pick<OauthRecord, "model" | "idHash">[]) => {
    const { rows } = await database.query<Row & ConnectionRow & { nth: number }>({
      text: `SELECT nth, ${COLUMNS}, ${CONNECTION_COLUMNS}
             FROM unnest((SELECT $1::text[]), (SELECT $2::text[])) WITH ORDINALITY AS asked (asked_model, asked_hash, nth)
             JOIN oauth_records ON model = asked_model AND id_hash = asked_hash
             JOIN connections ON connections.id = oauth_records.grant_id`,
      values: [asked.map(({ model }) => model), asked.map(({ idHash }) => idHash)],
      keepPlan: true,
    });
    return inKeyOrder(asked, rows, (row) => ({ record: recordOf(row), connection: connectionOf(row) }));
  });
  return {
    upsert: (record) =>
      write(
        record,
        `DO UPDATE SET payload = excluded.payload, grant_id = excluded.grant_id, user_code_hash = excluded.user_code_hash,
                       uid_hash = excluded.uid_hash, expires_at = excluded.expires_at,
                       consumed_at = coalesce(oauth_records.consumed_at, excluded.consumed_at)`,
      ),
    insert: (record) => write(record, "DO NOTHING"),
    find: (model, idHash) => findBy("id_hash", model, idHash),
    findGranted: (model, idHash) => findGranted({ model, idHash }),
    findByUserCode: (model, hash) => findBy("user_code_hash", model, hash),
    findByUid: (model, hash) => findBy("uid_hash", model, hash),
    async consume(model, idHash, at, keptUntil) {
      const { rowCount } = await database.query({
        text: `UPDATE oauth_records SET consumed_at = $3, expires_at = least(expires_at, $4)
               WHERE model = $1 AND id_hash = $2 AND consumed_at IS NULL`,
        values: [model, idHash, at, keptUntil],
      });
      return rowCount === 1;
    },
    async destroy(model, idHash) {
      await database.query({ text: "DELETE FROM oauth_records WHERE model = $1 AND id_hash = $2", values: [model, idHash] });
    },
    async forgetExpired(before, limit) {
      const { rowCount } = await database.query({
        text: `DELETE FROM oauth_records WHERE (model, id_hash) IN
                 (SELECT model, id_hash FROM oauth_records WHERE expires_at < $1 ORDER BY expires_at LIMIT $2)`,
        values: [before, limit],
      });
      return rowCount ?? 0;
    },
  };
}
