import { openPostgresContent } from "#adapters/postgres/content/open";
import { contentStoreContract } from "./content-store-contract/index.ts";
import { openTestDatabase } from "./postgres.ts";

contentStoreContract({
  name: "PostgreSQL",
  async open() {
    // A server set up for people orders text by their language; lists must come by code point all the same.
    const database = await openTestDatabase({ icuLocale: "en-US" });
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
