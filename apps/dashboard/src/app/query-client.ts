import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { sessionOptions } from "../api/session.ts";
import { ApiProblem, isProblem } from "../lib/problem.ts";

/** A person who was signed out elsewhere is asked to sign in again, and comes back to the same page. */
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
    // Sent without a connection too: the change then fails right away, with a message and a way to try again, and does not wait in a page that may be closed.
    mutations: { networkMode: "always" },
    queries: {
      networkMode: "always",
      refetchOnReconnect: true,
      staleTime: 10_000,
      // A request that the server refused would be refused again. Only one that did not reach it, or that it could not do now, is repeated.
      retry: (failures, error) => failures < 2 && (!(error instanceof ApiProblem) || error.status === 0 || error.status >= 500),
    },
  },
});
