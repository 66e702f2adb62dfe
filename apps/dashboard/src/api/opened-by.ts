import { ApiProblem } from "../lib/problem.ts";

/**
 * The account that this page was opened by. All tabs of a browser share one session, so somebody can sign in as another account in another
 * tab: what is typed here must not be saved for them. Every request names this account, and the server compares.
 */
let openedBy: string | null = null;
/** Why requests of this page are refused for now. */
let refusal: ApiProblem | null = null;
const listeners = new Set<() => void>();

export const openerHeaders = (): Record<string, string> => (openedBy === null ? {} : { "Stet-Opened-By": openedBy });

/** For a person who signs in on this page. */
export function forgetOpener(): void {
  openedBy = null;
  accountRefusal.set(null);
}

/** The first who is signed in opens the page. Later answers must be about the same account: another one would be shown this one's page. */
export function requireOpener(user: { readonly id: string; readonly email: string } | null): void {
  openedBy ??= user?.id ?? null;
  if (openedBy === null || user?.id === openedBy) return;
  const problem = user ? otherAccount(user.email) : signedOut();
  if (user) accountRefusal.set(problem);
  throw problem;
}

const otherAccount = (email: string) =>
  new ApiProblem({ status: 409, code: "OTHER_ACCOUNT", detail: `You are signed in as ${email} in another tab.`, facts: { email } });
const signedOut = () => new ApiProblem({ status: 401, code: "NOT_SIGNED_IN", detail: "Your session has ended. Sign in again." });

/** For the notice about it (`shell/account-notice.tsx`). Null again after the next request that is answered. */
export const accountRefusal = {
  get: (): ApiProblem | null => refusal,
  set(problem: ApiProblem | null): void {
    if (refusal?.code === problem?.code) return;
    refusal = problem;
    for (const listener of listeners) listener();
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
