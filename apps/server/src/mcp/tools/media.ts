import { z } from "zod";
import { fail } from "#domain/failure";
import { absoluteUrl } from "#domain/absolute-urls";
import { addMedia } from "#operations/media/add-media";
import { addMediaFromUrl } from "#operations/media/add-media-from-url";
import { ROTATIONS, UNEDITED, withoutRevision } from "#domain/image-edit";
import { editMedia } from "#operations/media/edit-media";
import { getMedia as getMediaOperation } from "#operations/media/get-media";
import { listMedia as listMediaOperation } from "#operations/media/list-media";
import type { MediaView } from "#operations/media/helpers/media-view";
import { quoted } from "../content.ts";
import { heldWords } from "../held.ts";
import { expectedVersion, listText, nextCursor, PAGE, paging, requireChange, requireOne, website } from "../shapes.ts";
import { tool } from "../tool.ts";
import type { ToolRun } from "../tool-run.ts";

/** The largest image that a call can carry; larger ones come by address. */
const MOST_BASE64_BYTES = 3_000_000;

const image = z.object({
  id: z.string(),
  filename: z.string(),
  alt: z.string(),
  url: z.string(),
  path: z.string().describe("Use this in Markdown: ![alt](path)"),
  width: z.int(),
  height: z.int(),
  version: z.int(),
});

const shown = ({ caller }: ToolRun, media: MediaView): z.infer<typeof image> => ({
  id: media.id,
  filename: media.filename,
  alt: media.alt,
  url: absoluteUrl(media.shownUrl, caller.services.settings.publicUrl),
  path: media.url,
  width: media.width,
  height: media.height,
  version: media.version,
});
const lineOf = (one: z.infer<typeof image>): string =>
  `${one.id} v${one.version} ${quoted(one.filename)} ${one.width}×${one.height} ${one.path}${one.alt === "" ? " (no alt text)" : ` alt ${quoted(one.alt)}`}`;

export const listMedia = tool({
  name: "list_media",
  title: "List images",
  description: "Lists the images of a website, newest first. `unused: true` lists unused ones.",
  kind: "read",
  input: { website, nameContains: z.string().optional(), unused: z.boolean().optional(), withoutAlt: z.boolean().optional(), ...paging },
  output: { images: z.array(image), nextCursor },
  async run(call, { website: given, limit = PAGE, ...query }) {
    const websiteId = await call.website(given);
    const page = await call.run(listMediaOperation, { websiteId, limit, ...query });
    const images = page.items.map((media) => shown(call, media));
    return {
      data: { images, nextCursor: page.nextCursor },
      text: listText(images.map(lineOf), page.nextCursor, "No images found."),
    };
  },
});

// Their bounds are the operation's: schemas are read with every conversation.
const focalPoint = z.object({ x: z.number(), y: z.number() });
const crop = focalPoint.extend({ width: z.number(), height: z.number() });

export const getMedia = tool({
  name: "get_media",
  title: "Look at an image",
  description: "Shows one image, with its details and where it is used. Look before you write an alt text.",
  kind: "read",
  input: { website, id: z.string() },
  output: { image: z.looseObject({}), usedIn: z.looseObject({}) },
  async run(call, { website: given, id: mediaId }) {
    const websiteId = await call.website(given);
    call.target = { id: mediaId, label: "" };
    const media = await call.run(getMediaOperation, { websiteId, mediaId, withPicture: true });
    call.target = { id: media.id, label: media.filename };
    const one = { ...shown(call, media), ...withoutRevision(media.edit ?? UNEDITED) };
    const { postCount, posts, authors } = media.usedIn;
    const uses = [
      ...posts.map((post) => `${post.id} ${quoted(post.title)} (${post.status})`),
      ...authors.map((author) => `portrait of ${author.id} ${quoted(author.name)}`),
      ...(postCount > posts.length ? [`${postCount - posts.length} more posts`] : []),
    ];
    const { picture } = media;
    const lines = [
      lineOf(one),
      uses.length > 0 ? `Used in: ${uses.join("; ")}` : "Not used anywhere.",
      ...(picture ? (picture.isCut ? ["Too tall to show: only a part of it is below."] : []) : ["The image cannot be shown right now."]),
    ];
    const data = { image: one, usedIn: { postCount, posts, authors } };
    return { data, text: lines.join("\n"), ...(picture && { image: { data: picture.base64, mimeType: picture.contentType } }) };
  },
});

export const uploadMedia = tool({
  name: "upload_media",
  title: "Upload an image",
  description:
    "Adds a PNG, JPEG, GIF, WebP or AVIF image from a public https address (`url`, up to 20 MB, no redirects), or from `base64` (up to 3 MB). Always give `alt`: what the image shows, for people who cannot see it. Then use its `path` in Markdown or its id as coverImage.",
  kind: "write",
  idempotent: false,
  openWorld: true,
  input: {
    website,
    url: z.string().optional(),
    base64: z.string().optional(),
    filename: z.string().max(200).optional().describe("Such as hills.png; taken from `url` if left out"),
    alt: z.string().max(500),
  },
  output: { image },
  async run(call, input) {
    const websiteId = await call.website(input.website);
    requireOne(input, ["url", "base64"]);
    const { alt, filename } = input;
    const added = input.url
      ? await call.run(addMediaFromUrl, { websiteId, url: input.url, alt, ...(filename && { filename }) })
      : await call.run(addMedia, { websiteId, bytes: decoded(input.base64 ?? ""), alt, filename: filename ?? "image" });
    call.changed({ id: added.id, label: added.filename }, null, added.version);
    const one = shown(call, added);
    return { data: { image: one }, text: `Uploaded: ${lineOf(one)}` };
  },
});

function decoded(given: string): Uint8Array {
  const text = given.replace(/^data:[^,]*,/, "").replaceAll(/\s/g, "");
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) throw fail("VALIDATION_FAILED", "base64 contains invalid characters. Encode the file again.");
  const bytes = Buffer.from(text, "base64");
  if (bytes.length <= MOST_BASE64_BYTES) return new Uint8Array(bytes);
  throw fail("PAYLOAD_TOO_LARGE", "The image is over 3 MB. Make it smaller, or give a public address in `url`.");
}

export const updateMedia = tool({
  name: "update_media",
  title: "Edit an image",
  description:
    "Changes the alt text, file name, focal point, crop or rotation of an image (shares from 0 to 1 of the upload). Cover images use the new alt text right away; inside a text it is in the Markdown, ![alt](path): change it with edit_post_body.",
  kind: "write",
  input: {
    website,
    id: z.string(),
    expectedVersion,
    alt: z.string().max(500).optional(),
    filename: z.string().max(200).optional(),
    focalPoint: focalPoint.nullable().optional(),
    crop: crop.nullable().optional(),
    rotation: z.literal(ROTATIONS).optional(),
  },
  output: { image },
  async run(call, { website: given, id: mediaId, expectedVersion: before, ...change }) {
    const websiteId = await call.website(given);
    call.target = { id: mediaId, label: "" };
    requireChange(change);
    const saved = await call.run(editMedia, { websiteId, mediaId, expectedVersion: before, ...change });
    call.changed({ id: saved.id, label: saved.filename }, before, saved.version);
    const one = shown(call, saved);
    return { data: { image: one }, text: `${heldWords(saved) ?? "Saved:"} ${lineOf(one)}` };
  },
});
