import { type ReactNode, useState } from "react";
import { messageOf } from "../lib/problem.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { Field } from "./field.tsx";
import { Input } from "./inputs.tsx";
import { Notice } from "./notice.tsx";

/** Asks before something that cannot be undone by a click; with `typeName` the name must be typed. */
export function ConfirmDialog({
  open,
  onOpenChange,
  title,
  children,
  action,
  typeName,
  onConfirm,
  danger = true,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  children: ReactNode;
  /** The label of the button: "Delete website". */
  action: string;
  typeName?: string;
  danger?: boolean;
  /** The dialog closes when it is done, and shows why when it failed. */
  onConfirm: (typedName: string) => Promise<unknown>;
}) {
  const [typed, setTyped] = useState("");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();

  const close = (next: boolean) => {
    if (busy) return;
    setTyped("");
    setError(undefined);
    onOpenChange(next);
  };
  const confirm = async () => {
    setBusy(true);
    setError(undefined);
    try {
      await onConfirm(typed);
      setTyped("");
      onOpenChange(false);
    } catch (failure) {
      setError(messageOf(failure));
    } finally {
      setBusy(false);
    }
  };
  const ready = typeName === undefined || typed.trim() === typeName;

  return (
    <Dialog
      open={open}
      onOpenChange={close}
      title={title}
      footer={
        <>
          <Button onClick={() => close(false)} disabled={busy}>
            Cancel
          </Button>
          <Button variant={danger ? "danger" : "primary"} disabled={!ready} busy={busy} onClick={() => void confirm()}>
            {action}
          </Button>
        </>
      }
    >
      <form
        className="flex flex-col gap-4 text-sm"
        onSubmit={(event) => {
          event.preventDefault();
          if (ready && !busy) void confirm();
        }}
      >
        <div className="text-muted">{children}</div>
        {typeName !== undefined && (
          <Field
            label={
              <>
                Type <strong className="select-all">{typeName}</strong> to confirm
              </>
            }
          >
            {(control) => <Input {...control} autoComplete="off" value={typed} onChange={(event) => setTyped(event.target.value)} />}
          </Field>
        )}
        {error && <Notice tone="danger">{error}</Notice>}
      </form>
    </Dialog>
  );
}
