import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { forgetOpener } from "../api/opened-by.ts";
import { isOwnPath, isServerPage } from "../lib/own-path.ts";

/** Ends signing in: forgets all loaded answers, which another person may have got, and opens the page that was asked for. */
export function useFinishSignIn(): (path: string) => Promise<void> {
  const client = useQueryClient();
  const router = useRouter();
  return async (path) => {
    client.clear();
    forgetOpener();
    const href = isOwnPath(path) ? path : "/";
    await router.navigate({ href, reloadDocument: isServerPage(href) });
  };
}
