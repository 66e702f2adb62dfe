import { useSyncExternalStore } from "react";
import { accountRefusal } from "../api/opened-by.ts";
import { useSession } from "../api/session.ts";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";

/** Says above the page that it cannot save for now, because the session ended or is another account's. The page stays as it is. */
export function AccountNotice() {
  const refusal = useSyncExternalStore(accountRefusal.subscribe, accountRefusal.get);
  const { email } = useSession().user;
  if (!refusal) return null;
  const signIn = (
    <a className="font-medium text-accent underline" href="/sign-in" target="_blank" rel="noreferrer">
      Sign in (new tab)
    </a>
  );
  return (
    <div ref={makeRoom} className="fixed inset-x-0 top-0 z-70 bg-bg p-2">
      <div className="mx-auto max-w-2xl">
        {refusal.code === "OTHER_ACCOUNT" ? (
          <Notice
            tone="danger"
            title={`You signed in as ${asText(refusal.facts["email"])} in another tab`}
            action={
              <Button size="sm" onClick={() => window.location.reload()}>
                Reload
              </Button>
            }
          >
            This page was opened as {email} and cannot save now. Reload it, or sign in as {email} again to save your changes here.
          </Notice>
        ) : (
          <Notice tone="danger" title="Your session has ended" action={signIn}>
            Your changes are still on this page. Sign in, then come back and save them.
          </Notice>
        )}
      </div>
    </div>
  );
}

/** Moves the page down by the height of the notice, so that it covers nothing. A dialog stays where it is, and the notice lies above it. */
function makeRoom(notice: HTMLElement | null) {
  if (!notice) return undefined;
  const { style } = document.documentElement;
  const observer = new ResizeObserver(() => style.setProperty("--notice", `${notice.offsetHeight}px`));
  observer.observe(notice);
  return () => {
    observer.disconnect();
    style.removeProperty("--notice");
  };
}

const asText = (value: unknown): string => (typeof value === "string" ? value : "another account");
