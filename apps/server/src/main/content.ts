import { openPostgresContent } from "#adapters/postgres/content/open";
import { raiseContentVersion } from "#adapters/postgres/content/raise-content-version";
import { contentHomes } from "#adapters/postgres/platform/content-homes";
import { scopeOf } from "#adapters/postgres/platform/scope";
import type { Database } from "#adapters/postgres/database";
import { sanitizeHtml } from "#domain/markdown/sanitize-html";
import type { Clock } from "#domain/time";
import type { ContentStore } from "#ports/content-store";
import type { Log } from "./log.ts";

/** The install's own content store: its PostgreSQL, or the MongoDB that CONTENT_URL names. */
export async function openContent(contentUrl: string | null, database: Database, clock: Clock, log: Log): Promise<ContentStore> {
  if (contentUrl === null) return openPostgresContent(database);
  // Only here: its driver takes a tenth of the memory of a service that does without it.
  const { openMongoContent } = await import("#adapters/mongodb/open");
  return openMongoContent({
    url: contentUrl,
    clock,
    onVisibleChange: (websiteId) => raiseContentVersion(database, websiteId),
    listMoved: () => contentHomes(scopeOf(database)).listMoved(),
    sanitizeHtml,
    onBadDocument: (bad) => log.warn({ bad }, "A document in the content database does not parse; it is treated as absent"),
  });
}
