import { TERM_KINDS } from "@stet/contract";
import { z } from "zod";
import type { WebsiteId } from "#domain/ids";
import type { SlugClaims, SlugSpace } from "#ports/slug-claims";
import { type Context, type Stored, sweptWebsites } from "./context.ts";
import { isDuplicate, isUnreachable } from "./failures.ts";
import { keyOf, partsOf, websiteOf } from "./keys.ts";
import { sweep } from "./paging.ts";
import { dateOf, line, moment } from "./schemas.ts";
import { allDocuments } from "./read-documents.ts";

const stored = z.object({ ownerId: line, claimedAt: moment });
const spaces: readonly string[] = ["post", ...TERM_KINDS];
const isSpace = (space: string): space is SlugSpace => spaces.includes(space);

export function mongoClaims(context: Context): SlugClaims {
  const { claims } = context;
  return {
    async claim(websiteId, space, { slug, ownerId, claimedAt }) {
      const key = keyOf(websiteId, space, slug);
      const token = context.newToken();
      for (let attempt = 1; ; attempt++) {
        try {
          await claims.insertOne({ _id: key, w: websiteId, ownerId, claimedAt: dateOf(claimedAt), token });
          return { ownerId, fresh: true };
        } catch (error) {
          // After a lost acknowledgement the second try finds the first one's claim: the word tells that it is ours.
          if (!isDuplicate(error) && (!isUnreachable(error) || attempt > 2)) throw error;
        }
        await claims.updateOne({ _id: key, w: websiteId, ownerId }, { $max: { claimedAt: dateOf(claimedAt) } });
        const found = await claims.findOne({ _id: key, w: websiteId });
        if (found) return { ownerId: ownerOf(found), fresh: found.token === token };
        // Released between the two looks: try again, but not for ever.
        if (attempt > 5) throw new Error(`The slug ${slug} is claimed and released without end.`);
      }
    },
    async owners(websiteId, space, slugs) {
      const keys = [...new Set(slugs)].map((slug) => keyOf(websiteId, space, slug));
      if (keys.length === 0) return new Map();
      const found = await allDocuments(claims.find({ _id: { $in: keys }, w: websiteId }), keys.length);
      return new Map(found.map((document) => [slugOf(websiteId, document), ownerOf(document)]));
    },
    async release(websiteId, space, slug, ownerId, claimedBefore) {
      const stale = claimedBefore === undefined ? {} : { claimedAt: { $lt: dateOf(claimedBefore) } };
      await claims.deleteOne({ _id: keyOf(websiteId, space, slug), w: websiteId, ownerId, ...stale });
    },
    async move(websiteId, space, slug, from, to) {
      const key = keyOf(websiteId, space, slug);
      const token = context.newToken();
      for (let attempt = 1; ; attempt++) {
        try {
          const { matchedCount } = await claims.updateOne({ _id: key, w: websiteId, ownerId: from }, { $set: { ownerId: to, token } });
          if (matchedCount === 1) return true;
          return (await claims.findOne({ _id: key, w: websiteId }, { projection: { token: 1 } }))?.token === token;
        } catch (error) {
          if (!isUnreachable(error) || attempt === 2) throw error;
        }
      }
    },
    async listDoubtful(before, after, limit) {
      const claims = await listOlder(before, after, limit);
      const isNeeded = await neededClaims(context, claims);
      return claims.map((claim) => ({ ...claim, isNeeded: isNeeded(claim), doubt: "" }));
    },
    // All of them are looked at each time: what a claim is needed for changes in another document.
    trust: async () => {},
    listClaimedBefore: listOlder,
  };

  async function listOlder(...[before, after, limit]: Parameters<SlugClaims["listClaimedBefore"]>) {
    const from = after ? { _id: { $gt: keyOf(after.websiteId, after.space, after.slug) } } : {};
    const filter = { ...(await sweptWebsites(context)), claimedAt: { $lt: dateOf(before) }, ...from };
    return sweep(claims, { filter, sort: { _id: 1 }, limit }, (document) => {
      const websiteId = websiteOf(document._id);
      const [space = "", slug] = (websiteId && partsOf(websiteId, document._id)) || [];
      const found = stored.safeParse(document);
      return websiteId && isSpace(space) && slug !== undefined && found.success ? { websiteId, space, slug, ...found.data } : null;
    });
  }
}

type Claim = Awaited<ReturnType<SlugClaims["listClaimedBefore"]>>[number];

const SLUGS = { "working.slug": 1, "live.content.slug": 1, slug: 1, kind: 1, pastSlugs: 1 } as const;
const withSlugs = z.object({
  working: z.object({ slug: z.string() }).optional(),
  live: z.object({ content: z.object({ slug: z.string() }) }).nullish(),
  slug: z.string().optional(),
  pastSlugs: z.array(z.string()).nullish(),
});

/** Which of these slugs their owners have. An owner that cannot be read keeps what it has. */
async function neededClaims(context: Context, claims: readonly Claim[]): Promise<(claim: Claim) => boolean> {
  const had = new Map<string, ReadonlySet<string> | null>();
  const read = async (collection: Context["posts"], owners: readonly Claim[]) => {
    if (owners.length === 0) return;
    const keys = [...new Set(owners.map(({ websiteId, ownerId }) => keyOf(websiteId, ownerId)))];
    const found = await allDocuments(collection.find({ _id: { $in: keys }, gone: { $exists: false } }).project<Stored>(SLUGS), keys.length);
    for (const document of found) {
      const { data } = withSlugs.safeParse(document);
      const slugs = data && [data.working?.slug, data.live?.content.slug, data.slug, ...(data.pastSlugs ?? [])];
      had.set(document._id, slugs ? new Set(slugs.filter((slug) => slug !== undefined)) : null);
    }
  };
  const [ofPosts, ofTerms] = [claims.filter(({ space }) => space === "post"), claims.filter(({ space }) => space !== "post")];
  await Promise.all([read(context.posts, ofPosts), read(context.terms, ofTerms)]);
  return ({ websiteId, ownerId, slug }) => {
    const slugs = had.get(keyOf(websiteId, ownerId));
    return slugs === null || (slugs?.has(slug) ?? false);
  };
}

const MAX_OWNER = 200;

/** A claim whose owner cannot be read is still a claim, of nobody: the slug is not given away. */
const ownerOf = ({ ownerId }: Stored): string => (typeof ownerId === "string" && ownerId.length <= MAX_OWNER ? ownerId : "");

const slugOf = (websiteId: WebsiteId, document: Stored): string => partsOf(websiteId, document._id)?.[1] ?? "";
