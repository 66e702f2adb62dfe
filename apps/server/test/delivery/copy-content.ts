import { POST_STATUSES, TERM_KINDS } from "@stet/contract";
import type { WebsiteId } from "#domain/ids";
import { type Timestamp } from "#domain/time";
import type { ContentStore } from "#ports/content-store";
import type { After, ListPage } from "#ports/list-page";

/** Puts everything a website holds in one store into another, record by record, as it is. */
export async function copyContent(from: ContentStore, to: ContentStore, websiteId: WebsiteId): Promise<void> {
  const statuses = POST_STATUSES;
  for await (const { id } of rows((after) => from.posts.list(websiteId, { statuses, sort: "createdAt", after, limit: 100 }))) {
    await to.posts.insert((await from.posts.get(websiteId, id))!, { visible: true });
  }
  for (const kind of TERM_KINDS) {
    for await (const term of rows((after) => from.terms.list(websiteId, { kind, after, limit: 100 }))) {
      const merged = await from.terms.getMany(websiteId, await from.terms.listMergedInto(websiteId, term.id));
      for (const each of [term, ...merged]) await to.terms.insert(each);
    }
  }
  for (const trashed of [true, false]) {
    for await (const media of rows((after) => from.media.list(websiteId, { trashed, after, limit: 100 }))) await to.media.insert(media);
  }
  for (const claim of await from.claims.listClaimedBefore("9999-01-01T00:00:00.000Z" as Timestamp, null, 10_000)) {
    if (claim.websiteId === websiteId) await to.claims.claim(websiteId, claim.space, claim);
  }
}

async function* rows<Row>(read: (after: After | null) => Promise<ListPage<Row>>): AsyncGenerator<Row> {
  let after: After | null = null;
  do {
    const page: ListPage<Row> = await read(after);
    yield* page.rows;
    after = page.next;
  } while (after);
}
