import { TERM_KINDS } from "@stet/contract";
import { z } from "zod";
import type { WebsiteId } from "#domain/ids";
import type { SlugClaims, SlugSpace } from "#ports/content-store";
import { type Context, type Stored, onlyWebsiteFilter } from "./context.ts";
import { isDuplicate, isUnreachable } from "./failures.ts";
import { keyOf, partsOf, websiteOf } from "./keys.ts";
import { sweep } from "./paging.ts";
import { dateOf, moment, text } from "./schemas.ts";

const stored = z.object({ ownerId: text, claimedAt: moment });
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
        await claims.updateOne({ _id: key, ownerId }, { $max: { claimedAt: dateOf(claimedAt) } });
        const found = await claims.findOne({ _id: key });
        if (found) return { ownerId: ownerOf(found), fresh: found.token === token };
        // Released between the two looks: try again, but not for ever.
        if (attempt > 5) throw new Error(`The slug ${slug} is claimed and released without end.`);
      }
    },
    async owners(websiteId, space, slugs) {
      const keys = [...new Set(slugs)].map((slug) => keyOf(websiteId, space, slug));
      if (keys.length === 0) return new Map();
      const found = await claims.find({ _id: { $in: keys } }).toArray();
      return new Map(found.map((document) => [slugOf(websiteId, document), ownerOf(document)]));
    },
    async release(websiteId, space, slug, ownerId, claimedBefore) {
      const stale = claimedBefore === undefined ? {} : { claimedAt: { $lt: dateOf(claimedBefore) } };
      await claims.deleteOne({ _id: keyOf(websiteId, space, slug), ownerId, ...stale });
    },
    async move(websiteId, space, slug, from, to) {
      const key = keyOf(websiteId, space, slug);
      const token = context.newToken();
      for (let attempt = 1; ; attempt++) {
        try {
          const { matchedCount } = await claims.updateOne({ _id: key, ownerId: from }, { $set: { ownerId: to, token } });
          if (matchedCount === 1) return true;
          return (await claims.findOne({ _id: key }, { projection: { token: 1 } }))?.token === token;
        } catch (error) {
          if (!isUnreachable(error) || attempt === 2) throw error;
        }
      }
    },
    listClaimedBefore(before, after, limit) {
      const from = after ? { _id: { $gt: keyOf(after.websiteId, after.space, after.slug) } } : {};
      const filter = { ...onlyWebsiteFilter(context), claimedAt: { $lt: dateOf(before) }, ...from };
      return sweep(claims, { filter, sort: { _id: 1 }, limit }, (document) => {
        const websiteId = websiteOf(document._id);
        const [space = "", slug] = (websiteId && partsOf(websiteId, document._id)) || [];
        const found = stored.safeParse(document);
        return websiteId && isSpace(space) && slug !== undefined && found.success ? { websiteId, space, slug, ...found.data } : null;
      });
    },
  };
}

/** A claim whose owner cannot be read is still a claim, of nobody: the slug is not given away. */
const ownerOf = ({ ownerId }: Stored): string => (typeof ownerId === "string" ? ownerId : "");

const slugOf = (websiteId: WebsiteId, document: Stored): string => partsOf(websiteId, document._id)?.[1] ?? "";
