import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { sessionOptions } from "../api/session.ts";
import { ApiProblem, isProblem } from "../lib/problem.ts";

/** Whoever was signed out elsewhere is asked to sign in again, and comes back to the same page. */
function whenSignedOut(error: unknown): void {
  if (!isProblem(error, "NOT_SIGNED_IN") || queryClient.getQueryData(sessionOptions.queryKey) === null) return;
  queryClient.setQueryData(sessionOptions.queryKey, null);
  const { pathname, search } = window.location;
  window.location.assign(`/sign-in?next=${encodeURIComponent(pathname + search)}`);
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: whenSignedOut }),
  mutationCache: new MutationCache({ onError: whenSignedOut }),
  defaultOptions: {
    // Asked for without a connection too: it fails at once, in words and with a way to try again, and does not wait in a page that may be closed.
    mutations: { networkMode: "always" },
    queries: {
      networkMode: "always",
      refetchOnReconnect: true,
      staleTime: 10_000,
      // What the server refused stays refused; only what did not reach it, or what it could not do now, is worth another try.
      retry: (failures, error) => failures < 2 && (!(error instanceof ApiProblem) || error.status === 0 || error.status >= 500),
    },
  },
});
