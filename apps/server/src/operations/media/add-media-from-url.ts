import { fail, invalid } from "#domain/failure";
import { MAX_IMAGE_BYTES } from "#domain/image";
import { SECOND } from "#domain/time";
import { httpUrl, lineOf } from "../kernel/inputs.ts";
import { websiteOperation } from "../kernel/operation.ts";
import { isNew, storeImage } from "./add-media.ts";
import { filenameInput } from "./helpers/media-input.ts";
import { aboutMedia, type MediaView } from "./helpers/media-view.ts";

const TIMEOUT_MILLIS = 20 * SECOND;
const ACCEPT = "image/avif, image/webp, image/png, image/jpeg, image/gif";

/** The address is read by the guarded client: never one inside our network, and no redirects. */
export const addMediaFromUrl = websiteOperation({
  name: "add_media_from_url",
  summary: "Copy an image from a public address (PNG, JPEG, GIF, WebP or AVIF, up to 20 MB).",
  permission: "media.upload",
  input: { url: httpUrl, filename: filenameInput.optional(), alt: lineOf(500).default("") },
  async run(context, { url, filename, alt }): Promise<MediaView> {
    const fetched = await context.services.fetcher.get(url, {
      accept: ACCEPT,
      mostBytes: MAX_IMAGE_BYTES,
      timeoutMillis: TIMEOUT_MILLIS,
    });
    if ("error" in fetched) throw invalid([{ field: "url", message: `could not be read: ${fetched.error}` }]);
    if (fetched.status !== 200) {
      throw fail(
        "VALIDATION_FAILED",
        `The address answered ${fetched.status} instead of an image. Give one that answers 200 without a redirect.`,
      );
    }
    return storeImage(context, { bytes: fetched.bytes, filename: filename ?? nameIn(url), alt, blurhash: null });
  },
  changes: "content",
  activity: (context, { url }, media) =>
    isNew(context, media) ? aboutMedia(media, { contentType: media.contentType, bytes: media.bytes, from: new URL(url).host }) : null,
});

/** The last part of the path, when it can be a file's name. */
function nameIn(url: string): string {
  const last = decoded(new URL(url).pathname.split("/").at(-1) ?? "");
  const parsed = filenameInput.safeParse(last);
  return parsed.success ? parsed.data : "image";
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
