import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { accountRefusal } from "../api/opened-by.ts";
import { sessionOptions } from "../api/session.ts";
import { ApiProblem, isProblem } from "../lib/problem.ts";
import { hasUnsaved } from "../lib/unsaved.ts";

let isLeaving = false;

/**
 * A person whose session ended is asked to sign in again, and comes back to the same page. A page that holds something which is not saved
 * stays as it is, and says so: after signing in elsewhere it can be saved.
 */
function whenSignedOut(error: unknown, isChange: boolean): void {
  // Where nobody was signed in, the page itself asks for it.
  if (!isProblem(error, "NOT_SIGNED_IN") || !queryClient.getQueryData(sessionOptions.queryKey)) return;
  if (isChange || hasUnsaved() || queryClient.isMutating() > 0) return accountRefusal.set(error);
  if (isLeaving) return;
  isLeaving = true;
  const { pathname, search } = window.location;
  window.location.assign(`/sign-in?next=${encodeURIComponent(pathname + search)}`);
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: (error) => whenSignedOut(error, false) }),
  mutationCache: new MutationCache({ onError: (error) => whenSignedOut(error, true) }),
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
