import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { isOwnPath, isServerPage } from "../lib/own-path.ts";

/** Ends signing in: forgets all loaded answers, which another person may have got, and opens the page that was asked for. */
export function useFinishSignIn(): (path: string) => Promise<void> {
  const client = useQueryClient();
  const router = useRouter();
  return async (path) => {
    client.clear();
    const href = isOwnPath(path) ? path : "/";
    await router.navigate({ href, reloadDocument: isServerPage(href) });
  };
}
