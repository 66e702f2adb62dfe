import { useState } from "react";
import type { ApiKey } from "../../api/answers.ts";
import { useAct } from "../../api/hooks.ts";
import { changedValues } from "../../lib/changed-values.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { toast } from "../../ui/toast.tsx";
import { capIn, KEY_FIELDS, type KeyDraft, KeyFields, originsIn } from "./key-fields.tsx";

export function EditKeyDialog({ of: key, onClose }: { of: ApiKey; onClose: () => void }) {
  const [opened] = useState<KeyDraft>({
    name: key.name,
    origins: key.origins.join("\n"),
    monthlyCap: key.monthlyCap === null ? "" : String(key.monthlyCap),
  });
  const [draft, setDraft] = useState(opened);
  const save = useAct("update_key", {
    stale: ["list_keys"],
    onSuccess: (saved) => {
      toast.ok(`API key ${saved.name} saved. The change applies from the next request.`);
      onClose();
    },
  });
  return (
    <FormDialog
      title={`Edit ${key.name}`}
      description={`The key itself (${key.masked}) stays the same.`}
      action="Save key"
      busy={save.isPending}
      problem={save.error}
      fields={KEY_FIELDS}
      onSubmit={() => save.mutate({ websiteId: key.websiteId, keyId: key.id, ...changedValues(valuesIn(opened), valuesIn(draft)) })}
      onClose={onClose}
    >
      <KeyFields draft={draft} onChange={setDraft} problem={save.error} />
    </FormDialog>
  );
}

const valuesIn = (draft: KeyDraft) => ({ name: draft.name, origins: originsIn(draft), monthlyCap: capIn(draft) });
