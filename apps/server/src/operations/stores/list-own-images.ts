import type { MediaId } from "#domain/ids";
import { idOf, websiteOperation } from "../kernel/operation.ts";

const MOST = 100;

export interface OwnImageList {
  /** The name that it was uploaded with; null where its record cannot be found. */
  readonly images: readonly { readonly id: MediaId; readonly filename: string | null; readonly bytes: number }[];
  /** How many there are in all. */
  readonly total: number;
  /** Where the next list begins; null at the end. */
  readonly after: MediaId | null;
}

/** What would be missing if the store were left without copying: files are only there. */
export const listOwnImages = websiteOperation({
  name: "list_own_images",
  summary: "List the images of a website that lie in its own image storage and nowhere else.",
  permission: "store.manage",
  input: { after: idOf<MediaId>("media").nullable().default(null) },
  async run({ services, website, content }, { after }): Promise<OwnImageList> {
    const { mediaFiles } = services.platform;
    const [files, { own }] = await Promise.all([mediaFiles.listKept(website.id, "own", after, MOST), mediaFiles.sums(website.id)]);
    const records =
      files.length === 0
        ? []
        : await content.media.getMany(
            website.id,
            files.map(({ mediaId }) => mediaId),
          );
    const names = new Map(records.map(({ id, filename }) => [id, filename]));
    return {
      images: files.map(({ mediaId, bytes }) => ({ id: mediaId, filename: names.get(mediaId) ?? null, bytes })),
      total: own.files,
      after: files.length < MOST ? null : files.at(-1)!.mediaId,
    };
  },
  activity: "none",
});
