import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { formErrorOf } from "../lib/problem.ts";
import { Button } from "./button.tsx";
import { Dialog, type DialogWidth } from "./dialog.tsx";
import { LeaveGuard } from "./leave-guard.tsx";
import { useLeaveQuestion } from "./leave-question.tsx";
import { Notice } from "./notice.tsx";

/** A form above the page. Cancel closes it; Escape, a click beside it or Back asks first once something was entered. */
export function FormDialog({
  title,
  description,
  width,
  action,
  busy = false,
  disabled = false,
  problem,
  fields = [],
  onSubmit,
  onClose,
  children,
}: {
  title: ReactNode;
  description?: ReactNode;
  width?: DialogWidth;
  /** The label of the button: "Create key". */
  action: string;
  busy?: boolean;
  disabled?: boolean;
  /** The refusal. An error that is shown beside one of `fields` is not repeated below the form. */
  problem?: unknown;
  /** The server's names of the fields that show their own errors. */
  fields?: readonly string[];
  onSubmit: () => void;
  onClose: () => void;
  children: ReactNode;
}) {
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const [isTouched, setTouched] = useState(false);
  const { leave, stay, question } = useLeaveQuestion(isTouched, onClose);
  const failure = formErrorOf(problem, fields);

  useEffect(() => {
    if (problem) form.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus();
  }, [problem]);

  return (
    <Dialog
      open
      onOpenChange={() => !busy && leave()}
      title={title}
      {...(description !== undefined && { description })}
      {...(width && { width })}
      footer={
        question || (
          <>
            <Button onClick={onClose} disabled={busy}>
              Cancel
            </Button>
            <Button variant="primary" type="submit" form={id} busy={busy} disabled={disabled}>
              {action}
            </Button>
          </>
        )
      }
    >
      <form
        ref={form}
        id={id}
        noValidate
        className="flex flex-col gap-5"
        onChange={() => {
          setTouched(true);
          stay();
        }}
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy && !disabled) onSubmit();
        }}
      >
        <LeaveGuard when={isTouched && !busy} />
        {children}
        {failure && <Notice tone="danger">{failure}</Notice>}
      </form>
    </Dialog>
  );
}
