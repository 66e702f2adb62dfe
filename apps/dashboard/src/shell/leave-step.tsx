import { type ReactNode, useState } from "react";
import { Button } from "../ui/button.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { Step } from "../ui/step.tsx";
import { useWebsiteContext } from "./website-context.ts";

interface Leaving {
  readonly isStopping: boolean;
  readonly stop: () => void;
  /** Where it cannot go on by itself. */
  readonly retry: (() => void) | null;
}

/** The last step of a store of one's own: everything is copied back first. Without that something would be missing, so only the owner can. */
export function LeaveStep({
  description,
  leaving,
  confirm,
  without,
  children,
}: {
  description: string;
  /** Null: nobody is leaving. */
  leaving: Leaving | null;
  confirm: { readonly title: string; readonly words: ReactNode; readonly onConfirm: () => Promise<unknown> };
  /** Null: the store answers, and there is no reason to leave without it. */
  without: {
    readonly title: string;
    /** Says why, to the owner, and to others who cannot. */
    readonly reason: string;
    readonly othersReason: string;
    readonly words: ReactNode;
    readonly onConfirm: (confirmName: string) => Promise<unknown>;
  } | null;
  /** How far copying back is. */
  children?: ReactNode;
}) {
  const { website, workspace } = useWebsiteContext();
  const [open, setOpen] = useState<"leave" | "without" | null>(null);
  return (
    <Step
      number={4}
      title="Disconnect"
      state={leaving ? "current" : "later"}
      description={description}
      action={
        leaving ? (
          <div className="flex flex-wrap gap-2">
            {leaving.retry && <Button onClick={leaving.retry}>Try again</Button>}
            <Button busy={leaving.isStopping} onClick={leaving.stop}>
              Stop
            </Button>
          </div>
        ) : (
          <Button variant="danger-outline" onClick={() => setOpen("leave")}>
            Disconnect …
          </Button>
        )
      }
    >
      {children}
      {without && (
        <div className="flex flex-wrap items-center justify-between gap-3 text-sm text-muted">
          {workspace.role === "owner" ? (
            <>
              <p className="min-w-40 flex-1">{without.reason}</p>
              <Button variant="danger-outline" size="sm" onClick={() => setOpen("without")}>
                Disconnect without copying …
              </Button>
            </>
          ) : (
            <p>{without.othersReason}</p>
          )}
        </div>
      )}
      <ConfirmDialog
        open={open === "leave"}
        onOpenChange={() => setOpen(null)}
        title={confirm.title}
        action="Disconnect"
        danger={false}
        onConfirm={confirm.onConfirm}
      >
        {confirm.words}
      </ConfirmDialog>
      {without && (
        <ConfirmDialog
          open={open === "without"}
          onOpenChange={() => setOpen(null)}
          title={without.title}
          action="Disconnect without copying"
          typeName={website.name}
          onConfirm={without.onConfirm}
        >
          {without.words}
        </ConfirmDialog>
      )}
    </Step>
  );
}
