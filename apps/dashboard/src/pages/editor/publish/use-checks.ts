import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { rpc } from "../../../api/rpc.ts";
import type { Output } from "../../../api/wire.ts";
import { useEditorPage } from "../editor-context.tsx";

export type Finding = Output<"check_post">[number];

/** The findings for the saved version: those that stop publishing, and advice. */
export function useChecks(enabled: boolean) {
  const { at, post } = useEditorPage();
  return useQuery({
    queryKey: ["check_post", at, post.version],
    queryFn: ({ signal }) => rpc("check_post", at, { signal }),
    enabled,
    placeholderData: keepPreviousData,
  });
}
