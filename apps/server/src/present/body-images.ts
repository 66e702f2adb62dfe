import { absoluteImages } from "#domain/absolute-urls";
import { isId, type MediaId, type WebsiteId } from "#domain/ids";
import type { ImageSize } from "#domain/image-size";
import type { Media } from "#domain/media";
import { originalUrl } from "#domain/shown-image";
import type { ContentSource } from "./content-source.ts";
import { type Images, placedImage } from "./media.ts";

/** How wide the column of a text, and a wide image, are taken to be: the page that shows the body is not ours to measure. */
const COLUMN_PIXELS = 800;
const WIDE_PIXELS = 1200;

/**
 * The images of one website inside rendered HTML, each with the figure around it that gives it another width. The writer of the HTML
 * escapes `<`, `>` and `"`, so that these are tags and nothing else.
 */
const imagesOf = (websiteId: WebsiteId): RegExp =>
  new RegExp(
    `(<figure class="stet-figure stet-figure-(wide|full)">(?:<a [^>]*>)?)?<img src="(/media/${websiteId}/(media_[0-9a-z]{26})\\.[a-z]{3,4})"([^>]*)>`,
    "g",
  );

/** The images that a rendered body shows. */
export const mediaIdsIn = (html: string, websiteId: WebsiteId): MediaId[] =>
  [...html.matchAll(imagesOf(websiteId))].map(([, , , , id]) => id!).filter((id) => isId("media", id));

/** A rendered body as readers get it. `images` knows those that it shows. */
export const presentBody = ({ websiteId, publicUrl, imageBase }: ContentSource, html: string, images: Images): string =>
  absoluteImages(withVariants(html, websiteId, images.record, imageBase), websiteId, publicUrl);

/**
 * The HTML with what a browser needs to choose a variant and to keep the room for it. Here and not in the stored rendering, because images
 * are facts of their own: a post that was rendered years ago gets it as well, and one whose image was deleted does not.
 */
export const withVariants = (html: string, websiteId: WebsiteId, find: (id: MediaId) => Media | null, imageBase?: string | null): string =>
  html.replaceAll(
    imagesOf(websiteId),
    (tag, figure: string | undefined, width: string | undefined, url: string, id: MediaId, rest: string) => {
      const media = find(id);
      if (!media || media.width < 1 || media.height < 1 || originalUrl(media) !== url) return tag;
      const image = placedImage(media, imageBase);
      const { srcset } = image;
      const shown = shownSize(image, rest);
      const most = Math.min(shown.width ?? image.width, width === "wide" ? WIDE_PIXELS : COLUMN_PIXELS);
      const sizes = width === "full" ? "100vw" : `(min-width: ${most}px) ${most}px, 100vw`;
      const choice = srcset === null ? "" : ` srcset="${srcset}" sizes="${sizes}"`;
      return `${figure ?? ""}<img src="${image.url}"${choice}${shown.attributes}${rest}>`;
    },
  );

/** What is missing of width and height. The writer may have given one of them, in pixels or as a share of the page. */
function shownSize({ width, height }: ImageSize, attributes: string): { readonly width: number | null; readonly attributes: string } {
  const given = (name: string): string | null => new RegExp(` ${name}="([0-9]{1,5}%?)"`).exec(attributes)?.[1] ?? null;
  const [across, down] = [given("width"), given("height")];
  if (across === null && down === null) return { width, attributes: ` width="${width}" height="${height}"` };
  if (across?.endsWith("%") || down?.endsWith("%")) return { width: null, attributes: "" };
  if (down === null) return { width: Number(across), attributes: ` height="${Math.round((Number(across) * height) / width)}"` };
  if (across !== null) return { width: Number(across), attributes: "" };
  const fitting = Math.round((Number(down) * width) / height);
  return { width: fitting, attributes: ` width="${fitting}"` };
}
