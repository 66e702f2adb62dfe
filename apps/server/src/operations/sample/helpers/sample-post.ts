import type { MediaId, PostId, TermId } from "#domain/ids";
import type { PostContent } from "#domain/post";
import { slugFrom } from "#domain/slug";
import { DAY, HOUR, MINUTE, type Timestamp, timestamp } from "#domain/time";
import { bodyOf, VARIANTS } from "./bodies.ts";
import { IMAGE_NAMES, imageId } from "./images.ts";
import { PEOPLE } from "./people.ts";
import { pick, seeded } from "./random.ts";
import { sampleId, termId } from "./sample-ids.ts";
import { titleAt } from "./titles.ts";

export interface SamplePost {
  readonly id: PostId;
  /** Addresses of images in the body stand for whichever website it is put into (domain/media-address). */
  readonly content: PostContent;
  readonly createdAt: Timestamp;
  readonly publishedAt: Timestamp;
  /** When it was updated after that, if it was. */
  readonly updatedAt: Timestamp | null;
}

/** The newest day; three years lie before it. */
const LAST_DAY = Date.UTC(2026, 9, 31);
const DAYS = 3 * 365;
/** Minutes of a day in which the publication publishes, from six in the morning (UTC). */
const MINUTES = 12 * 60;

/** Every 25th post has the title of one shortly before it, and every 20th the times of the one before. */
const ECHO = { every: 25, back: 7 } as const;
const TWIN = { every: 20, back: 1 } as const;
const recurs = (index: number, { every }: { every: number }): boolean => index % every === every - 1;

/** The post with this number, from 0. It depends on nothing else, so that a thousand of them begin like a hundred. */
export function samplePost(index: number): SamplePost {
  const random = seeded(index);
  const isEcho = recurs(index, ECHO);
  const title = titleAt(isEcho ? index - ECHO.back : index);
  const { topic } = title;
  const variant = random(VARIANTS);
  const times = timesAt(recurs(index, TWIN) ? index - TWIN.back : index);
  const cover = random(100) < 85 ? IMAGE_NAMES[random(IMAGE_NAMES.length)]! : null;
  const authors = pick(PEOPLE, random(10) === 0 ? 2 : 1, random);
  const excerpt = random(8) === 0 ? "" : topic.excerpts[random(topic.excerpts.length)]!;
  return {
    id: sampleId("post", `${index}`, Date.parse(times.createdAt)),
    ...times,
    content: {
      title: title.text,
      slug: numbered(slugFrom(title.text), 1 + 2 * title.round + (isEcho ? 1 : 0)),
      excerpt,
      body: bodyOf(topic, variant),
      coverMediaId: cover && (imageId(cover) as MediaId),
      coverAlt: cover && random(4) === 0 ? `Illustration for “${title.text}”` : null,
      categoryIds: [termId("category", topic.category)],
      tagIds: pick(topic.tags, 2 + random(3), random).map((tag): TermId => termId("tag", tag)),
      authorIds: authors.map((author) => termId("author", author.name)),
      featured: random(12) === 0,
      seo: random(6) === 0 ? seoOf(title.text, topic.excerpts[0]!) : NO_SEO,
      fields: {},
      publishedAt: null,
    },
  };
}

const NO_SEO: PostContent["seo"] = { title: null, description: null, canonicalUrl: null, ogImageUrl: null, noindex: false };
const seoOf = (title: string, description: string): PostContent["seo"] => ({ ...NO_SEO, title: `${title} · Lantern & Loom`, description });

/** A title used once more gets the next number, as the product itself would do it. */
const numbered = (slug: string, number: number): string => (number === 1 ? slug : `${slug}-${number}`);

function timesAt(index: number): Pick<SamplePost, "createdAt" | "publishedAt" | "updatedAt"> {
  // A stride without a common factor with the number of minutes: no two meet but those that are meant to.
  const slot = (index * 310_813) % (DAYS * MINUTES);
  const published = LAST_DAY - Math.floor(slot / MINUTES) * DAY + 6 * HOUR + (slot % MINUTES) * MINUTE;
  const random = seeded(index + 500_000);
  const created = published - (1 + random(12 * 24)) * HOUR - random(60) * MINUTE;
  const updated = random(5) === 0 ? Math.min(published + (1 + random(60 * 24)) * HOUR, LAST_DAY + DAY - MINUTE) : null;
  return { createdAt: timestamp(created), publishedAt: timestamp(published), updatedAt: updated === null ? null : timestamp(updated) };
}
