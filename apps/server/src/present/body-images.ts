import { absoluteImages } from "#domain/absolute-urls";
import { isId, type MediaId, type WebsiteId } from "#domain/ids";
import { srcsetOf } from "#domain/image-variant";
import type { Media } from "#domain/media";
import type { ContentSource } from "./content-source.ts";
import { type Images, isOwnAddress } from "./media.ts";

/** How wide the column of a text is taken to be: the page that shows the body is not ours to measure. */
const COLUMN_PIXELS = 800;

/** The images of one website inside rendered HTML. The writer of the HTML escapes `<`, `>` and `"`, so that this is a tag and nothing else. */
const imagesOf = (websiteId: WebsiteId): RegExp =>
  new RegExp(`<img src="(/media/${websiteId}/(media_[0-9a-z]{26})\\.[a-z]{3,4})"([^>]*)>`, "g");

/** The images that a rendered body shows. */
export const mediaIdsIn = (html: string, websiteId: WebsiteId): MediaId[] =>
  [...html.matchAll(imagesOf(websiteId))].map(([, , id]) => id!).filter((id) => isId("media", id));

/** A rendered body as readers get it. `images` knows those that it shows. */
export const presentBody = ({ websiteId, publicUrl }: ContentSource, html: string, images: Images): string =>
  absoluteImages(withVariants(html, websiteId, images.record), websiteId, publicUrl);

/**
 * The HTML with what a browser needs to choose a variant and to keep the room for it. Here and not in the stored rendering, because images
 * are facts of their own: a post that was rendered years ago gets it as well, and one whose image was deleted does not.
 */
export const withVariants = (html: string, websiteId: WebsiteId, find: (id: MediaId) => Media | null): string =>
  html.replaceAll(imagesOf(websiteId), (tag, url: string, id: MediaId, rest: string) => {
    const media = find(id);
    if (!media || media.width < 1 || media.height < 1 || media.url !== url || !isOwnAddress(media)) return tag;
    const shown = shownSize(media, rest);
    const srcset = srcsetOf(url, media);
    const most = Math.min(shown.width ?? media.width, COLUMN_PIXELS);
    const choice = srcset === null ? "" : ` srcset="${srcset}" sizes="(min-width: ${most}px) ${most}px, 100vw"`;
    return `<img src="${url}"${choice}${shown.attributes}${rest}>`;
  });

/** What is missing of width and height. The writer may have given one of them, in pixels or as a share of the page. */
function shownSize({ width, height }: Media, attributes: string): { readonly width: number | null; readonly attributes: string } {
  const given = (name: string): string | null => new RegExp(` ${name}="([0-9]{1,5}%?)"`).exec(attributes)?.[1] ?? null;
  const [across, down] = [given("width"), given("height")];
  if (across === null && down === null) return { width, attributes: ` width="${width}" height="${height}"` };
  if (across?.endsWith("%") || down?.endsWith("%")) return { width: null, attributes: "" };
  if (down === null) return { width: Number(across), attributes: ` height="${Math.round((Number(across) * height) / width)}"` };
  if (across !== null) return { width: Number(across), attributes: "" };
  const fitting = Math.round((Number(down) * width) / height);
  return { width: fitting, attributes: ` width="${fitting}"` };
}
