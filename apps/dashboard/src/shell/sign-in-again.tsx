import { useState } from "react";
import { authPost } from "../api/auth.ts";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";
import { toast } from "../ui/toast.tsx";

/** Some pages are shown only to a person who signed in today: a forgotten open window is not enough. */
export function SignInAgain({ children }: { children: string }) {
  const [busy, setBusy] = useState(false);
  const leave = async () => {
    setBusy(true);
    try {
      await authPost("/sign-out", {});
      window.location.assign(`/sign-in?next=${encodeURIComponent(window.location.pathname)}`);
    } catch (error) {
      toast.error(error);
      setBusy(false);
    }
  };
  return (
    <Notice
      title="Sign in again first"
      action={
        <Button size="sm" busy={busy} onClick={() => void leave()}>
          Sign in again
        </Button>
      }
    >
      {children}
    </Notice>
  );
}
