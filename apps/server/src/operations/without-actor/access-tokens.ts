import { LRUCache } from "lru-cache";
import { CI_MODEL, MCP_PATH, modelOfToken, recordHash, sealContext } from "#domain/oauth-record";
import { HOUR, timestamp } from "#domain/time";
import type { AccessTokens } from "#ports/connections";
import type { OauthRecord } from "#ports/oauth-records";
import type { Services } from "../kernel/services.ts";
import { hasMark } from "./token-marks.ts";

/** Longer than any token of ours. */
const MOST_CHARACTERS = 200;
const MOST_OPENED = 10_000;

/**
 * The check on every request of a connected tool, by one look-up: the token's record, and the connection as it is now. Whose account is gone has no connection either: the database takes it along.
 */
export function createAccessTokens(services: Services): AccessTokens {
  /** The sealed payload of each record that was found to be for us: as long as it is the same text, it says the same. */
  const opened = new LRUCache<string, string>({ max: MOST_OPENED });

  function isForUs({ model, idHash, payload: sealed }: OauthRecord): boolean {
    if (opened.get(idHash) === sealed) return true;
    const payload = services.seals.open("oauth", sealContext(model, idHash), sealed);
    if (payload === null) return false;
    const { aud } = JSON.parse(payload) as { aud?: unknown };
    if (aud !== services.settings.publicUrl + MCP_PATH) return false;
    opened.set(idHash, sealed);
    return true;
  }

  return {
    isOurs: (token) => opened.has(recordHash(token)) || (token.length <= MOST_CHARACTERS && hasMark(services.keyring, token)),

    async find(token) {
      if (token.length > MOST_CHARACTERS) return null;
      const model = modelOfToken(token);
      const found = await services.oauthRecords.findGranted(model, recordHash(token));
      if (!found || found.connection.revokedAt !== null) return null;
      const { record, connection } = found;
      const now = services.clock().getTime();
      // A script's token lasts as long as its connection; a client that must be given an end is given one that moves along.
      const expiresAt = model === CI_MODEL ? now + HOUR : (record.expiresAt ?? 0) * 1_000;
      if (expiresAt <= now || !isForUs(record)) return null;
      return { connection, expiresAt: timestamp(expiresAt) };
    },
  };
}
