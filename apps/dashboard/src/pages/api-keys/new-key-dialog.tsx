import { useState } from "react";
import { useAct } from "../../api/hooks.ts";
import { useWebsiteContext } from "../../shell/website-context.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { ShownOnceDialog } from "../../ui/shown-once-dialog.tsx";
import { capIn, KEY_FIELDS, type KeyDraft, KeyFields, originsIn } from "./key-fields.tsx";

/** First the form, then the key. */
export function NewKeyDialog({ onClose }: { onClose: () => void }) {
  const { website } = useWebsiteContext();
  const [draft, setDraft] = useState<KeyDraft>({ name: "", origins: "", monthlyCap: "" });
  const create = useAct("create_key", { stale: ["list_keys", "get_usage"] });
  if (create.data) {
    const { key, record } = create.data;
    return (
      <ShownOnceDialog
        what="key"
        value={key}
        title={`${record.name} is ready`}
        description="Copy the key now. It is shown only once."
        command={`curl "${window.location.origin}/v1/blog/posts?limit=5" \\\n  -H "Authorization: Bearer ${key}"`}
        code={`import { createClient } from "@stet/client";\n\nconst stet = createClient({ url: "${window.location.origin}", apiKey: process.env.STET_KEY });\nconst { items } = await stet.posts.list({ limit: 10 });`}
        ifLost="revoke it and create another"
        onClose={onClose}
      />
    );
  }
  return (
    <FormDialog
      title="Create a key"
      action="Create key"
      busy={create.isPending}
      problem={create.error}
      fields={KEY_FIELDS}
      onSubmit={() => create.mutate({ websiteId: website.id, name: draft.name, origins: originsIn(draft), monthlyCap: capIn(draft) })}
      onClose={onClose}
    >
      <KeyFields draft={draft} onChange={setDraft} problem={create.error} />
    </FormDialog>
  );
}
