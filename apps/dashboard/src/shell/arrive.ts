import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { isOwnPath, isServerPage } from "../lib/own-path.ts";

/** After signing in: nothing that was known before holds any longer, and the person goes where they wanted to. */
export function useArrive(): (path: string) => Promise<void> {
  const client = useQueryClient();
  const router = useRouter();
  return async (path) => {
    client.clear();
    const href = isOwnPath(path) ? path : "/";
    await router.navigate({ href, reloadDocument: isServerPage(href) });
  };
}
