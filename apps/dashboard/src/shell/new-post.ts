import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { rpc } from "../api/rpc.ts";
import { toast } from "../ui/toast.tsx";
import { useAnyPlace } from "./place.tsx";

/** Makes a draft and opens it: there is nothing to fill in before one can write. */
export function useNewPost(): () => Promise<void> {
  const { website } = useAnyPlace();
  const navigate = useNavigate();
  const client = useQueryClient();
  return async () => {
    if (!website) return;
    const websiteId = website.website.id;
    try {
      const post = await rpc("create_post", { websiteId });
      await navigate({ to: "/s/$websiteId/posts/$postId", params: { websiteId, postId: post.id } });
      await client.invalidateQueries({ queryKey: ["list_posts"] });
    } catch (error) {
      toast.error(error);
    }
  };
}
