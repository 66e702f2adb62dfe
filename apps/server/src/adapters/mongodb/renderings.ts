import type { PostStore } from "#ports/content-store";
import { type Context, sweptWebsites } from "./context.ts";
import { keyOf } from "./keys.ts";
import { sweepRefs } from "./pending-posts.ts";
import { searchBody } from "./search-fields.ts";
import { takeStamps, withIntent } from "./writes.ts";

/** Renderings made anew when the renderer's version rises; the post itself does not change. */
export function mongoRenderings(context: Context): Pick<PostStore, "listRenderedBefore" | "saveRendering"> {
  return {
    listRenderedBefore: async (rendererVersion, limit) =>
      sweepRefs(
        context,
        { ...(await sweptWebsites(context)), rendererVersion: { $lt: rendererVersion } },
        { rendererVersion: 1, _id: 1 },
        limit,
      ),
    saveRendering: ({ websiteId, id }, version, rendering) =>
      withIntent(context, websiteId, async () => {
        const [stamp] = await takeStamps(context, websiteId);
        // The same rendering written twice is the same: no word is needed to recognise it by.
        const { matchedCount } = await context.posts.updateOne(
          { _id: keyOf(websiteId, id), w: websiteId, version, rendererVersion: { $exists: true } },
          {
            $set: {
              rendererVersion: rendering.rendererVersion,
              "liveBody.html": rendering.html,
              "liveBody.headings": rendering.headings,
              "liveBody.text": rendering.text,
              searchBody: searchBody(rendering.text),
              "live.wordCount": rendering.wordCount,
              "live.readingMinutes": rendering.readingMinutes,
              ...stamp,
            },
          },
        );
        return matchedCount === 1 ? "saved" : "stale";
      }),
  };
}
