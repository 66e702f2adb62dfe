import { rpc } from "../../api/rpc.ts";
import { toast } from "../../ui/toast.tsx";

/** Shows the working copy as readers would see it, in a tab of its own. */
export async function openPreview(post: { websiteId: string; postId: string }): Promise<void> {
  // Opened with the click: a tab that is opened later is taken for an advertisement.
  const tab = window.open("about:blank", "_blank");
  try {
    const { token } = await rpc("create_preview", post);
    (tab ?? window).location.assign(`/preview/${token}`);
  } catch (error) {
    tab?.close();
    toast.error(error);
  }
}
