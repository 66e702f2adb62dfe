import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { sessionOptions } from "../../api/session.ts";

/** Leaves the pages of a workspace that the person has left or deleted. The page goes first, because the new session no longer has its data. */
export function useExitWorkspace(): () => Promise<void> {
  const client = useQueryClient();
  const navigate = useNavigate();
  return async () => {
    await navigate({ to: "/account" });
    await client.refetchQueries({ queryKey: sessionOptions.queryKey });
    await navigate({ to: "/" });
  };
}
