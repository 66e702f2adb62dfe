import { useOp } from "../../../api/hooks.ts";
import type { Output } from "../../../api/wire.ts";
import { useWebsiteContext } from "../../../shell/website-context.ts";

/** The image with this id; null while it is on its way or when there is none. */
export function useCover(mediaId: string | null): Output<"get_media"> | null {
  const { website } = useWebsiteContext();
  const media = useOp("get_media", { websiteId: website.id, mediaId: mediaId ?? "" }, { enabled: mediaId !== null });
  return mediaId === null ? null : (media.data ?? null);
}
