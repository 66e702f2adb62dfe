import { useState } from "react";
import { useAct } from "../../api/hooks.ts";
import { messageOf } from "../../api/problem.ts";
import { usePlace } from "../../shell/place.tsx";
import { Button } from "../../ui/button.tsx";
import { CopyField } from "../../ui/copy-field.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Notice } from "../../ui/notice.tsx";
import { capIn, isOfForm, type KeyDraft, KeyFields, originsIn } from "./key-fields.tsx";

/** First the form, then the key: this once, so it is not closed by a slip. */
export function NewKeyDialog({ onClose }: { onClose: () => void }) {
  const { website } = usePlace();
  const [draft, setDraft] = useState<KeyDraft>({ name: "", origins: "", monthlyCap: "" });
  const [warned, setWarned] = useState(false);
  const create = useAct("create_key", { stale: ["list_keys", "get_usage"] });
  const made = create.data;

  if (made) {
    return (
      <Dialog
        key="made"
        open
        width="md"
        onOpenChange={() => setWarned(true)}
        title={`${made.record.name} is ready`}
        description="Copy the key now. It is shown this once: Stet keeps only a hash of it."
        footer={
          <Button variant="primary" onClick={onClose}>
            I saved it
          </Button>
        }
      >
        <div className="flex flex-col gap-4 text-sm">
          <CopyField label="key" value={made.key} />
          <div>
            <p className="mb-1.5 font-medium">Try it</p>
            <CopyField label="command" multiline value={snippet(made.key)} />
          </div>
          {warned && (
            <Notice tone="warn" action={<Button onClick={onClose}>Close anyway</Button>}>
              The key cannot be shown again. If it is lost, revoke it and create another.
            </Notice>
          )}
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Create a key"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form="key-form" busy={create.isPending}>
            Create key
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
          create.mutate({ websiteId: website.id, name: draft.name, origins: originsIn(draft), monthlyCap: capIn(draft) });
        }}
      >
        <KeyFields draft={draft} onChange={setDraft} problem={create.error} />
        {create.error && !isOfForm(create.error) && <Notice tone="danger">{messageOf(create.error)}</Notice>}
      </form>
    </Dialog>
  );
}

const snippet = (key: string): string => `curl "${window.location.origin}/v1/blog/posts?limit=5" \\\n  -H "Authorization: Bearer ${key}"`;
