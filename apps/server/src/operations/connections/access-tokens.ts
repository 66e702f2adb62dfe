import type { GrantId } from "#domain/ids";
import { MCP_PATH, recordHash, sealPlace } from "#domain/oauth-record";
import { timestamp } from "#domain/time";
import type { AccessTokens } from "#ports/connections";
import type { Services } from "../kernel/services.ts";

const MODEL = "AccessToken";
/** What the longest token of ours is short of. */
const MOST_CHARACTERS = 200;

/**
 * The check on every request of a connected tool, by two look-ups in indexes: the token's record, and the connection as it is
 * now. Whose account is gone has no connection either: the database takes it along.
 */
export const createAccessTokens = (services: Services): AccessTokens => ({
  async find(token) {
    if (token.length > MOST_CHARACTERS) return null;
    const record = await services.oauthRecords.find(MODEL, recordHash(token));
    if (!record?.grantId || record.expiresAt === null) return null;
    if (record.expiresAt * 1_000 <= services.clock().getTime()) return null;
    const payload = services.seals.open("oauth", sealPlace(MODEL, record.idHash), record.payload);
    if (payload === null || !isForUs(payload, services.settings.publicUrl + MCP_PATH)) return null;
    const connection = await services.connections.get(record.grantId as GrantId);
    if (!connection || connection.revokedAt !== null) return null;
    return { connection, expiresAt: timestamp(record.expiresAt * 1_000) };
  },
});

function isForUs(payload: string, mcpUrl: string): boolean {
  const { aud } = JSON.parse(payload) as { aud?: unknown };
  return aud === mcpUrl;
}
