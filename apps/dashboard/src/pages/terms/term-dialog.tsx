import type { TermKind } from "@stet/contract";
import { useState } from "react";
import type { Term } from "../../api/answers.ts";
import { useAct, useOp } from "../../api/hooks.ts";
import type { ApiProblem } from "../../lib/problem.ts";
import { KINDS } from "../../lib/term-kinds.ts";
import { useWebsiteContext } from "../../shell/website-context.ts";
import { Field } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Input, Select, Textarea } from "../../ui/inputs.tsx";
import { toast } from "../../ui/toast.tsx";
import { AvatarField } from "./avatar-field.tsx";

const FIELDS = ["name", "slug", "description", "profile.url", "profile.userId"];

/** Makes a category, tag or author, or changes one. */
export function TermDialog({ kind, term, onClose }: { kind: TermKind; term?: Term; onClose: () => void }) {
  const { website } = useWebsiteContext();
  const [name, setName] = useState(term?.name ?? "");
  const [slug, setSlug] = useState(term?.slug ?? "");
  const [description, setDescription] = useState(term?.description ?? "");
  const [url, setUrl] = useState(term?.profile?.url ?? "");
  const [userId, setUserId] = useState(term?.profile?.userId ?? "");
  const [avatarMediaId, setAvatarMediaId] = useState(term?.profile?.avatarMediaId ?? null);
  const { one, descriptionLabel } = KINDS[kind];

  const done = (saved: { name: string }) => {
    toast.ok(term ? `“${saved.name}” saved.` : `“${saved.name}” created.`);
    onClose();
  };
  const create = useAct("create_term", { stale: ["list_terms"], onSuccess: done });
  const edit = useAct("edit_term", { stale: ["list_terms", "get_term"], onSuccess: done });
  const act = term ? edit : create;
  const problem: ApiProblem | null = act.error;

  const submit = () => {
    const profile = kind === "author" && { profile: { url: url.trim() || null, userId: userId || null, avatarMediaId } };
    if (term) edit.mutate({ websiteId: website.id, termId: term.id, expectedVersion: term.version, name, slug, description, ...profile });
    else create.mutate({ websiteId: website.id, kind, name, description, ...(slug.trim() && { slug: slug.trim() }), ...profile });
  };

  return (
    <FormDialog
      title={term ? `Edit ${one}` : `New ${one}`}
      action={term ? "Save" : `Create ${one}`}
      busy={act.isPending}
      problem={problem}
      fields={FIELDS}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label="Name" error={problem?.fieldError("name")}>
        {(control) => <Input {...control} value={name} onChange={(event) => setName(event.target.value)} />}
      </Field>
      <Field
        label="Slug"
        optional={!term}
        error={problem?.fieldError("slug")}
        help={term ? "The old slug will redirect here." : "Leave empty to create it from the name."}
      >
        {(control) => <Input {...control} className="font-mono" value={slug} onChange={(event) => setSlug(event.target.value)} />}
      </Field>
      <Field label={descriptionLabel} optional error={problem?.fieldError("description")}>
        {(control) => <Textarea {...control} value={description} onChange={(event) => setDescription(event.target.value)} />}
      </Field>
      {kind === "author" && (
        <>
          <Field label="Web address" optional error={problem?.fieldError("profile.url")}>
            {(control) => (
              <Input {...control} type="url" placeholder="https://" value={url} onChange={(event) => setUrl(event.target.value)} />
            )}
          </Field>
          <AvatarField mediaId={avatarMediaId} name={name} onChange={setAvatarMediaId} />
          <MemberField value={userId} onChange={setUserId} error={problem?.fieldError("profile.userId")} />
        </>
      )}
    </FormDialog>
  );
}

/** The member who writes under this name, so that their posts begin with it. */
function MemberField({ value, onChange, error }: { value: string; onChange: (id: string) => void; error: string | undefined }) {
  const { workspace } = useWebsiteContext();
  const members = useOp("list_members", { workspaceId: workspace.id });
  return (
    <Field label="Member" optional error={error} help="The member who writes under this name.">
      {(control) => (
        <Select {...control} value={value} onChange={(event) => onChange(event.target.value)}>
          <option value="">None</option>
          {members.data?.map((member) => (
            <option key={member.userId} value={member.userId}>
              {member.name}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
