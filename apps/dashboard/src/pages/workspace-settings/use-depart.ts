import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { sessionOptions } from "../../api/session.ts";

/** Away from a workspace that one has left or deleted: first the page, which has nothing left to show, then what is known. */
export function useDepart(): () => Promise<void> {
  const client = useQueryClient();
  const navigate = useNavigate();
  return async () => {
    await navigate({ to: "/account" });
    await client.refetchQueries({ queryKey: sessionOptions.queryKey });
    await navigate({ to: "/" });
  };
}
