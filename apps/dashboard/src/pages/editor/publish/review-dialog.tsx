import { useState } from "react";
import { messageOf } from "../../../lib/problem.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Field } from "../../../ui/field.tsx";
import { Textarea } from "../../../ui/inputs.tsx";
import { Notice } from "../../../ui/notice.tsx";
import type { PostActions } from "../use-post-actions.ts";

/** For those who write and do not publish. */
export function ReviewDialog({
  open,
  onOpenChange,
  actions,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  actions: PostActions;
}) {
  const [note, setNote] = useState("");
  const [error, setError] = useState<unknown>(null);
  const ask = async () => {
    setError(null);
    try {
      await actions.askForReview(note);
      onOpenChange(false);
    } catch (failure) {
      setError(failure);
    }
  };
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Request review"
      description="Editors see the post under Waiting for review and can publish it. You can keep writing."
      footer={
        <>
          <Button onClick={() => onOpenChange(false)}>Cancel</Button>
          <Button variant="primary" busy={actions.busy === "review"} onClick={() => void ask()}>
            Request review
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <Field label="Note for the editor" optional>
          {(control) => <Textarea {...control} maxLength={1_000} value={note} onChange={(event) => setNote(event.target.value)} />}
        </Field>
        {error !== null && <Notice tone="danger">{messageOf(error)}</Notice>}
      </div>
    </Dialog>
  );
}
