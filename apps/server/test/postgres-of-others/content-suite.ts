import { test } from "vitest";
import { openPostgresContent } from "#adapters/postgres/content/open";
import type { Database } from "#adapters/postgres/database";
import { contentStoreContract } from "#test/content-store-contract/index";

/** The content suite on a server that is reached in another way than in `postgres-content.test.ts`. It takes as long as that, so only with STET_SOAK=1. */
export function contentSuiteOn(how: string, open: () => Promise<Database>): void {
  const name = `PostgreSQL ${how}`;
  if (!process.env["STET_SOAK"]) {
    test.skip(`the content suite on ${name} (STET_SOAK=1)`, () => {});
    return;
  }
  contentStoreContract({
    name,
    async open() {
      const database = await open();
      return {
        store: openPostgresContent(database),
        async contentVersion(websiteId) {
          const text = "SELECT content_version FROM website_content WHERE website_id = $1";
          const { rows } = await database.query<{ content_version: number }>({ text, values: [websiteId] });
          return rows[0]?.content_version ?? 0;
        },
        close: () => database.close(),
      };
    },
  });
}
