import { useBlocker } from "@tanstack/react-router";
import { useUnsaved } from "../lib/unsaved.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";

/** Asks before a person leaves a page with unsaved changes by a link, by Back, or by closing the tab. */
export function LeaveGuard({
  when,
  without = "saving",
  children = "Your changes on this page are not saved. They are lost if you leave.",
}: {
  when: boolean;
  /** Completes "Leave without …": "saving". */
  without?: string;
  children?: string;
}) {
  useUnsaved(when);
  const { status, proceed, reset } = useBlocker({
    // A change of the address's search (another tab of a list) does not leave the page.
    shouldBlockFn: ({ current, next }) => when && current.pathname !== next.pathname,
    enableBeforeUnload: () => when,
    withResolver: true,
  });
  return (
    <Dialog
      open={status === "blocked"}
      onOpenChange={(open) => !open && reset?.()}
      title={`Leave without ${without}?`}
      footer={
        <>
          <Button onClick={() => proceed?.()}>Leave without {without}</Button>
          <Button variant="primary" onClick={() => reset?.()}>
            Stay here
          </Button>
        </>
      }
    >
      <p className="text-sm text-muted">{children}</p>
    </Dialog>
  );
}
