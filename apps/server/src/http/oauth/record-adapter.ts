import Provider, { type Adapter, type AdapterPayload, errors } from "oidc-provider";
import type { GrantId } from "#domain/ids";
import { recordHash, sealContext } from "#domain/oauth-record";
import type { OauthServices } from "#operations/connections/helpers/oauth-services";

/**
 * For how long a refresh token that was used is answered again, in seconds, with the successor that it has. Several processes of one client
 * share a token and refresh at the same moment; later, a client that shows it stole it, and the connection ends.
 */
const GRACE_SECONDS = 90;
/**
 * For how long what was used is remembered, in seconds: shown again meanwhile, it ends the connection; later it is merely unknown.
 * A client that refreshes every hour would otherwise leave two thousand of them.
 */
const REMEMBERED_SECONDS = 7 * 24 * 60 * 60;
/** For how long a client that nobody ever connected is remembered, in seconds. */
const UNUSED_CLIENT_SECONDS = 14 * 24 * 60 * 60;

type Records = OauthServices["oauthRecords"];
type Record = NonNullable<Awaited<ReturnType<Records["find"]>>>;

/** Keeps the library's records in our table: ids as hashes, payloads sealed, because they hold the ids too. */
export function createRecordAdapter(services: OauthServices): (model: string) => Adapter {
  const { oauthRecords: records, seals } = services;
  const seconds = () => Math.floor(services.clock().getTime() / 1_000);

  return (model) => {
    const payloadOf = (record: Record | null): AdapterPayload | undefined => {
      const text = record && seals.open("oauth", sealContext(model, record.idHash), record.payload);
      if (!text) return undefined;
      const payload = JSON.parse(text) as AdapterPayload;
      // The columns decide: they are what a sweep and a revocation act on.
      if (record.expiresAt !== null && model !== "Client") payload.exp = record.expiresAt;
      const isUsed = record.consumedAt !== null && !(model === "RefreshToken" && seconds() - record.consumedAt < GRACE_SECONDS);
      if (isUsed && record.consumedAt !== null) payload.consumed = record.consumedAt;
      return payload;
    };
    const isGone = (record: Record | null) => model === "Client" && record?.expiresAt != null && record.expiresAt <= seconds();

    return {
      async upsert(id, payload, expiresIn) {
        const idHash = recordHash(id);
        // Whether and when it was used is known to the column alone.
        const { consumed: _, ...kept } = payload;
        // A successor that is there already stays as it is: it may have been used since.
        await records[model === "RefreshToken" ? "insert" : "upsert"]({
          model,
          idHash,
          payload: seals.seal("oauth", sealContext(model, idHash), JSON.stringify(kept)),
          grantId: model === "Grant" ? id : (payload.grantId ?? null),
          userCodeHash: payload.userCode === undefined ? null : recordHash(payload.userCode),
          uidHash: payload.uid === undefined ? null : recordHash(payload.uid),
          expiresAt: seconds() + (expiresIn ?? UNUSED_CLIENT_SECONDS),
          consumedAt: null,
        });
      },
      async find(id) {
        const record = await records.find(model, recordHash(id));
        return isGone(record) ? undefined : payloadOf(record);
      },
      findByUserCode: async (userCode) => payloadOf(await records.findByUserCode(model, recordHash(userCode))),
      findByUid: async (uid) => payloadOf(await records.findByUid(model, recordHash(uid))),
      async consume(id) {
        const idHash = recordHash(id);
        if ((await records.consume(model, idHash, seconds(), seconds() + REMEMBERED_SECONDS)) || model === "RefreshToken") return;
        // Two came with one code at the same moment: as with any code shown twice, what it gave is void.
        const record = await records.find(model, idHash);
        if (record?.grantId) await services.endAfterTokenReuse(record.grantId as GrantId);
        throw new errors.InvalidGrant("code already consumed");
      },
      destroy: (id) => records.destroy(model, recordHash(id)),
      async revokeByGrantId(grantId) {
        const oidc = Provider.ctx?.oidc;
        if (oidc?.route !== "revocation") return services.endAfterTokenReuse(grantId as GrantId);
        // A client that gives one access token back has not ended its connection.
        if (!oidc.entities.AccessToken) await services.endConnection(grantId as GrantId);
      },
    };
  };
}

/** A client that somebody connected is remembered for good: programs keep their registration for years. */
export async function keepClient({ oauthRecords }: OauthServices, clientId: string): Promise<void> {
  const record = await oauthRecords.find("Client", recordHash(clientId));
  if (record) await oauthRecords.upsert({ ...record, expiresAt: null });
}
