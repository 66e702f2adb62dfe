import { z } from "zod";
import { eachOf } from "../kernel/each-of.ts";
import { type InWebsite, websiteOperation } from "../kernel/operation.ts";
import { type SamplePost, samplePost } from "./helpers/sample-post.ts";
import { seedImages } from "./helpers/seed-images.ts";
import { postSeeder } from "./helpers/seed-post.ts";
import { seedTerms } from "./helpers/seed-terms.ts";

const MAX_POSTS = 100_000;
/** Posts looked up together to see which are there already. */
const CHUNK = 200;
/** Posts written at once: enough to keep the database busy, few enough to leave connections to others. */
const AT_ONCE = 6;

export interface Seeded {
  /** Posts written now. */
  readonly added: number;
  /** Posts that were there already, or whose address another post has. */
  readonly kept: number;
}

type Progress = (done: number, total: number) => void;

/**
 * Fills a website with published sample posts, the same ones every time: number 17 is the same post in every website. Run
 * again it adds what is missing. It is content from before anyone listened, so no events are sent for it.
 */
export const seedWebsite = websiteOperation({
  name: "seed_website",
  summary: "Fill a website with published sample posts, with their categories, tags, authors and images.",
  permission: "website.import",
  input: {
    posts: z.int().min(0).max(MAX_POSTS),
    onProgress: z.custom<Progress>((value) => typeof value === "function", { error: "must be a function" }).optional(),
  },
  async run(context, { posts: total, onProgress = () => {} }): Promise<Seeded> {
    let added = 0;
    let done = 0;
    if (total > 0) {
      await context.services.platform.events.beginHistory(context.website.id);
      await seedImages(context);
      const seed = postSeeder(context, await seedTerms(context));
      await eachOf(missing(context, total), AT_ONCE, async ({ sample, isClaimed }) => {
        if (sample && (await seed(sample, isClaimed))) added += 1;
        done += 1;
        onProgress(done, total);
      });
    }
    if (added > 0) await context.services.platform.events.beginHistory(context.website.id);
    return { added, kept: total - added };
  },
  changes: "content",
  activity: ({ website }, _, { added }) =>
    added === 0 ? null : { target: { id: website.id, label: website.name }, details: { posts: added } },
});

/** The samples in order, null for those whose slug is another post's; made only as fast as they are written. */
async function* missing({ content, website }: InWebsite, total: number): AsyncGenerator<{ sample: SamplePost | null; isClaimed: boolean }> {
  for (let from = 0; from < total; from += CHUNK) {
    const samples = Array.from({ length: Math.min(CHUNK, total - from) }, (_, offset) => samplePost(from + offset));
    const slugs = samples.map((sample) => sample.content.slug);
    const owners = await content.claims.owners(website.id, "post", slugs);
    for (const sample of samples) {
      const owner = owners.get(sample.content.slug);
      yield { sample: owner === undefined || owner === sample.id ? sample : null, isClaimed: owner !== undefined };
    }
  }
}
