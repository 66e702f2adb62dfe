import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useAct } from "../api/hooks.ts";
import { toast } from "../ui/toast.tsx";
import { useOptionalContext } from "./website-context.ts";

/** Makes a draft and opens it: there is nothing to fill in before one can write. Who asks twice gets one. */
export function useNewPost(): () => Promise<void> {
  const { website } = useOptionalContext();
  const navigate = useNavigate();
  const client = useQueryClient();
  const create = useAct("create_post", { stale: ["list_posts"] });
  return async () => {
    if (!website || client.isMutating({ mutationKey: ["create_post"] }) > 0) return;
    const websiteId = website.website.id;
    try {
      const post = await create.mutateAsync({ websiteId });
      await navigate({ to: "/s/$websiteId/posts/$postId", params: { websiteId, postId: post.id } });
    } catch (error) {
      toast.error(error);
    }
  };
}
