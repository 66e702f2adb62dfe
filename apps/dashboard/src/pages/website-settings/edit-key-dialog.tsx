import { useState } from "react";
import { useAct } from "../../api/hooks.ts";
import { messageOf } from "../../api/problem.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Notice } from "../../ui/notice.tsx";
import { toast } from "../../ui/toast.tsx";
import { capIn, isOfForm, type KeyDraft, KeyFields, originsIn } from "./key-fields.tsx";
import type { Key } from "./keys-page.tsx";

export function EditKeyDialog({ of: key, onClose }: { of: Key; onClose: () => void }) {
  const [draft, setDraft] = useState<KeyDraft>({
    name: key.name,
    origins: key.origins.join("\n"),
    monthlyCap: key.monthlyCap === null ? "" : String(key.monthlyCap),
  });
  const save = useAct("update_key", {
    stale: ["list_keys"],
    onSuccess: (saved) => {
      toast.ok(`The key ${saved.name} is changed. It acts from the next request on.`);
      onClose();
    },
  });
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Edit ${key.name}`}
      description={`The key itself (${key.masked}) stays the same.`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form="key-form" busy={save.isPending}>
            Save key
          </Button>
        </>
      }
    >
      <form
        id="key-form"
        noValidate
        className="flex flex-col gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate({
            websiteId: key.websiteId,
            keyId: key.id,
            name: draft.name,
            origins: originsIn(draft),
            monthlyCap: capIn(draft),
          });
        }}
      >
        <KeyFields draft={draft} onChange={setDraft} problem={save.error} />
        {save.error && !isOfForm(save.error) && <Notice tone="danger">{messageOf(save.error)}</Notice>}
      </form>
    </Dialog>
  );
}
