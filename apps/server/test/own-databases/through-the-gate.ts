import { ensureContentIndexes, mongoContentOn } from "#adapters/mongodb/open";
import { createOwnDatabases, type OwnDatabasesOptions } from "#adapters/own-databases/own-databases";
import { sanitizeHtml } from "#domain/markdown/sanitize-html";
import { allowedAddresses } from "#domain/network-addresses";
import type { OwnDatabases } from "#ports/own-databases";
import { testNames } from "./names.ts";

/** Customers' databases on this machine, under the name `db.test`. */
export const testOwnDatabases = (options: Partial<OwnDatabasesOptions> = {}): OwnDatabases =>
  createOwnDatabases({
    names: testNames({ addresses: { "db.test": "127.0.0.1" } }),
    allowed: allowedAddresses(["127.0.0.1/32"]),
    contentOn: (database) => mongoContentOn(database, { onVisibleChange: async () => {}, sanitizeHtml }),
    schema: { version: 1, bringUpToDate: ensureContentIndexes },
    mostOpen: 500,
    ...options,
  });
