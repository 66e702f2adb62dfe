import type { GrantId, UserId } from "#domain/ids";
import { timestamp } from "#domain/time";
import type { Services } from "../../kernel/services.ts";
import { type TransportServices, transportServices } from "../../kernel/transport-services.ts";
import { endAfterTokenReuse } from "./end-after-token-reuse.ts";

/**
 * More services, for the authorisation server only: the OAuth library keeps its own records, and reads the documents of clients. It
 * ends a connection where the protocol says so, and reaches nothing else of it.
 */
export interface OauthServices extends TransportServices, Pick<Services, "fetcher" | "oauthRecords" | "seals"> {
  hasAccount(id: UserId): Promise<boolean>;
  /** Whether this person ever let the client act for them. */
  hasConnected(id: UserId, clientId: string): Promise<boolean>;
  /** The client has given its connection back. */
  endConnection(id: GrantId): Promise<void>;
  /** A token or a code was shown a second time. */
  endAfterTokenReuse(id: GrantId): Promise<void>;
}

export function oauthServices(services: Services): OauthServices {
  const { fetcher, oauthRecords, seals, accounts, connections, clock } = services;
  return {
    ...transportServices(services),
    fetcher,
    oauthRecords,
    seals,
    hasAccount: async (id) => (await accounts.get(id)) !== null,
    hasConnected: (id, clientId) => connections.hasBeen(id, clientId),
    endConnection: async (id) => void (await connections.revoke(id, timestamp(clock()))),
    endAfterTokenReuse: (id) => endAfterTokenReuse(services, id),
  };
}
