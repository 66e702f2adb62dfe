import type { Collection, IndexSpecification } from "mongodb";
import type { Collections, Stored } from "./context.ts";
import { isUnreachable } from "./failures.ts";
import { allDocuments } from "./read-documents.ts";

interface Index {
  readonly name: string;
  readonly key: IndexSpecification;
  /** Only documents that have the field: for sweeps over all websites, which look for few among many. */
  readonly sparse?: true;
}

const BY_CHANGE: Index = { name: "changes", key: { w: 1, seq: 1 } };

/** Every index but those of the sweeps begins with the website. Each list has one that ends with its sort value and the id. */
const INDEXES = {
  posts: [
    BY_CHANGE,
    ...["publishedAt", "updatedAt", "createdAt", "liveTitleKey"].map((sort) => ({
      name: `live by ${sort}`,
      key: { w: 1, liveFacets: 1, [sort]: 1, _id: 1 } as const,
    })),
    ...["editedAt", "createdAt", "titleKey"].map((sort) => ({ name: `by ${sort}`, key: { w: 1, [sort]: 1, _id: 1 } as const })),
    { name: "by status", key: { w: 1, status: 1, editedAt: 1, _id: 1 } },
    { name: "by owner", key: { w: 1, ownerId: 1, editedAt: 1, _id: 1 } },
    { name: "scheduled", key: { w: 1, status: 1, scheduledAt: 1, _id: 1 } },
    { name: "by working facet", key: { w: 1, workingFacets: 1, editedAt: 1, _id: 1 } },
    { name: "renamed", key: { w: 1, "pastSlugs.0": 1, _id: 1 } },
    { name: "where used", key: { w: 1, shownFacets: 1 } },
    { name: "sweep pending", key: { pendingSince: 1, _id: 1 }, sparse: true },
    { name: "sweep trash", key: { deletedAt: 1, _id: 1 }, sparse: true },
    { name: "sweep renderings", key: { rendererVersion: 1, _id: 1 }, sparse: true },
    { name: "sweep uncounted", key: { counted: 1, _id: 1 } },
  ],
  claims: [{ name: "of website", key: { w: 1, _id: 1 } }],
  terms: [
    BY_CHANGE,
    { name: "by name", key: { w: 1, kind: 1, listed: 1, nameKey: 1, _id: 1 } },
    { name: "merged", key: { w: 1, mergedInto: 1 } },
  ],
  media: [
    BY_CHANGE,
    { name: "newest", key: { w: 1, trashed: 1, createdAt: 1, _id: 1 } },
    { name: "by alt text", key: { w: 1, trashed: 1, alt: 1, createdAt: 1, _id: 1 } },
    { name: "sweep trash", key: { deletedAt: 1, _id: 1 }, sparse: true },
    { name: "sweep metadata", key: { metadata: 1, _id: 1 } },
  ],
  revisions: [
    BY_CHANGE,
    { name: "newest", key: { w: 1, post: 1, at: 1, _id: 1 } },
    { name: "sweep to thin", key: { wasLive: 1, kept: 1, _id: 1 } },
  ],
  beside: [
    BY_CHANGE,
    { name: "of target", key: { w: 1, targetId: 1, kind: 1, at: 1, _id: 1 } },
    { name: "open", key: { w: 1, kind: 1, open: 1, at: 1, _id: 1 } },
    { name: "sweep closed", key: { open: 1, at: 1 } },
  ],
  counts: [{ name: "of website", key: { w: 1, _id: 1 } }],
  counters: [],
  intents: [
    { name: "of website", key: { w: 1, _id: 1 } },
    { name: "sweep left behind", key: { at: 1 } },
    { name: "sweep uncounted", key: { since: 1 }, sparse: true },
  ],
} as const satisfies Record<keyof Collections, readonly Index[]>;

/** Creates what is missing. One by one: a request for several that partly exist ends the connection in FerretDB 1.24. */
export async function ensureIndexes(collections: Collections): Promise<void> {
  for (const [name, indexes] of Object.entries(INDEXES) as [keyof Collections, readonly Index[]][]) {
    const collection = collections[name];
    const present = await namesOf(collection);
    for (const index of indexes) {
      if (present.has(index.name)) continue;
      await collection.createIndex(index.key, { name: index.name, ...(index.sparse && { sparse: true }) });
    }
  }
}

const TEXT_INDEX = "search";

/** Full text where the server has it; not every server that speaks the protocol does, and search then reads word by word. */
export async function ensureTextIndex(posts: Collection<Stored>): Promise<boolean> {
  try {
    if (!(await namesOf(posts)).has(TEXT_INDEX)) {
      await posts.createIndex(
        { w: 1, searchHead: "text", searchBody: "text" },
        // The texts are folded already, and stems would be those of one language for all websites.
        { name: TEXT_INDEX, weights: { searchHead: 10, searchBody: 1 }, default_language: "none" },
      );
    }
    return true;
  } catch (error) {
    if (isUnreachable(error)) throw error;
    return false;
  }
}

async function namesOf(collection: Collection<Stored>): Promise<ReadonlySet<string>> {
  const NAMESPACE_NOT_FOUND = 26;
  try {
    const found = await allDocuments(collection.listIndexes());
    return new Set(found.map((index) => String(index.name)));
  } catch (error) {
    if ((error as { code?: unknown }).code === NAMESPACE_NOT_FOUND) return new Set();
    throw error;
  }
}
