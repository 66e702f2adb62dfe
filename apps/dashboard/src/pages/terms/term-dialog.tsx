import type { TermKind } from "@stet/contract";
import { type FormEvent, useId, useState } from "react";
import { useAct, useOp } from "../../api/hooks.ts";
import { type ApiProblem, messageOf } from "../../api/problem.ts";
import { usePlace } from "../../shell/place.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Input, Select, Textarea } from "../../ui/inputs.tsx";
import { Notice } from "../../ui/notice.tsx";
import { toast } from "../../ui/toast.tsx";
import { AvatarField } from "./avatar-field.tsx";
import { KINDS } from "./kinds.ts";
import type { Term } from "./terms-page.tsx";

/** Makes a category, tag or author, or changes one. */
export function TermDialog({ kind, term, onClose }: { kind: TermKind; term?: Term; onClose: () => void }) {
  const { website } = usePlace();
  const form = useId();
  const [name, setName] = useState(term?.name ?? "");
  const [slug, setSlug] = useState(term?.slug ?? "");
  const [description, setDescription] = useState(term?.description ?? "");
  const [url, setUrl] = useState(term?.profile?.url ?? "");
  const [userId, setUserId] = useState(term?.profile?.userId ?? "");
  const [avatarMediaId, setAvatarMediaId] = useState(term?.profile?.avatarMediaId ?? null);
  const { one, descriptionLabel } = KINDS[kind];

  const done = (saved: { name: string }) => {
    toast.ok(term ? `“${saved.name}” is saved.` : `“${saved.name}” is there.`);
    onClose();
  };
  const create = useAct("create_term", { stale: ["list_terms"], onSuccess: done });
  const edit = useAct("edit_term", { stale: ["list_terms"], onSuccess: done });
  const act = term ? edit : create;
  const problem: ApiProblem | null = act.error;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const profile = kind === "author" && { profile: { url: url.trim() || null, userId: userId || null, avatarMediaId } };
    if (term) edit.mutate({ websiteId: website.id, termId: term.id, expectedVersion: term.version, name, slug, description, ...profile });
    else create.mutate({ websiteId: website.id, kind, name, description, ...(slug.trim() && { slug: slug.trim() }), ...profile });
  };

  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={term ? `Edit ${one}` : `New ${one}`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form={form} busy={act.isPending}>
            {term ? "Save" : `Create ${one}`}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit} className="flex flex-col gap-4">
        <Field label="Name" error={problem?.fieldError("name")}>
          {(control) => <Input {...control} required value={name} onChange={(event) => setName(event.target.value)} />}
        </Field>
        <Field
          label="Slug"
          optional={!term}
          error={problem?.fieldError("slug")}
          help={term ? "An old slug goes on leading here." : "Made from the name when it is left empty."}
        >
          {(control) => (
            <Input {...control} className="font-mono" required={!!term} value={slug} onChange={(event) => setSlug(event.target.value)} />
          )}
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
        {problem && problem.errors.length === 0 && <Notice tone="danger">{messageOf(problem)}</Notice>}
      </form>
    </Dialog>
  );
}

/** The member who writes under this name, so that their posts begin with it. */
function MemberField({ value, onChange, error }: { value: string; onChange: (id: string) => void; error: string | undefined }) {
  const { workspace } = usePlace();
  const members = useOp("list_members", { workspaceId: workspace.id });
  return (
    <Field label="Member" optional error={error} help="The person here who writes under this name.">
      {(control) => (
        <Select {...control} value={value} onChange={(event) => onChange(event.target.value)}>
          <option value="">Nobody</option>
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
