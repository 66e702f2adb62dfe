import { createNames } from "#adapters/guarded-fetch/resolve";
import type * as MongoContent from "#adapters/mongodb/open";
import type { ContentSchema } from "#adapters/own-databases/clusters";
import { createOwnDatabases } from "#adapters/own-databases/own-databases";
import { raiseContentVersion } from "#adapters/postgres/content/raise-content-version";
import type { Database } from "#adapters/postgres/database";
import type { WebsiteId } from "#domain/ids";
import { sanitizeHtml } from "#domain/markdown/sanitize-html";
import { allowedAddresses } from "#domain/network-addresses";
import type { Clock } from "#domain/time";
import type { ClusterOutcome, OwnDatabases } from "#ports/own-databases";
import type { Config } from "./config.ts";

interface Options extends Pick<Config, "privateTargets" | "ownDatabasesOpen"> {
  /** Processes of this machine that open them: each has its share of the connections that there may be. */
  readonly processes?: number;
  readonly database: Database;
  readonly clock: Clock;
  /** Told of each document that does not parse; it is treated as absent. */
  readonly onBadDocument: (websiteId: WebsiteId, bad: object) => void;
  /** Another one than this version's: for tests of updates. */
  readonly schema?: ContentSchema;
  readonly onOutcome: (websiteId: WebsiteId, outcome: ClusterOutcome) => void;
}

/** Raised when documents come to need other indexes or fields; `bringUpToDate` then gets a database there from each earlier version. */
const SCHEMA_VERSION = 1;

/** Customers' databases. The driver is loaded with the first of them: an install without any does without its memory. */
export function openOwnDatabases({
  privateTargets,
  ownDatabasesOpen,
  processes = 1,
  database,
  clock,
  onBadDocument,
  onOutcome,
  schema: given,
}: Options): OwnDatabases {
  let adapter: typeof MongoContent | null = null;
  const schema = given ?? { version: SCHEMA_VERSION, bringUpToDate: (opened) => adapter!.ensureContentIndexes(opened) };
  const databases = createOwnDatabases({
    names: createNames({ localNames: privateTargets === true || privateTargets.length > 0 }),
    allowed: allowedAddresses(privateTargets),
    mostOpen: Math.ceil(ownDatabasesOpen / processes),
    contentOn: (opened, only) =>
      adapter!.mongoContentOn(opened, {
        only,
        clock,
        sanitizeHtml,
        onVisibleChange: (websiteId) => raiseContentVersion(database, websiteId),
        onBadDocument: (bad) => onBadDocument(only, bad),
      }),
    onOutcome,
    schema,
  });
  return {
    ...databases,
    async withCluster(websiteId, connection, work) {
      adapter ??= await import("#adapters/mongodb/open");
      return databases.withCluster(websiteId, connection, work);
    },
  };
}
