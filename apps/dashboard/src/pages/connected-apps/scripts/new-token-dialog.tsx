import { useState } from "react";
import { useAct } from "../../../api/hooks.ts";
import { messageOf } from "../../../api/problem.ts";
import { useSession } from "../../../api/session.ts";
import { useWorkspace } from "../../../shell/place.tsx";
import { Button } from "../../../ui/button.tsx";
import { CopyField } from "../../../ui/copy-field.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Field } from "../../../ui/field.tsx";
import { Input, Select, SwitchField } from "../../../ui/inputs.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { PasswordInput } from "../../auth/password-input.tsx";

/** First the form, then the token: this once, so it is not closed by a slip. */
export function NewTokenDialog({ onClose }: { onClose: () => void }) {
  const { workspace } = useWorkspace();
  const { user } = useSession();
  const [name, setName] = useState("");
  const [reach, setReach] = useState<"this" | "all">("this");
  const [allowDelete, setAllowDelete] = useState(false);
  const [password, setPassword] = useState("");
  const create = useAct("create_ci_credential", { stale: ["list_connections"] });
  if (create.data) return <MadeToken name={create.data.connection.client.name} token={create.data.token} onClose={onClose} />;
  const errors = { name: create.error?.fieldError("name"), password: create.error?.fieldError("password") };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="New token for a script"
      description="It acts for you, within your role and what you choose here."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form="new-token" busy={create.isPending}>
            Create token
          </Button>
        </>
      }
    >
      <form
        id="new-token"
        noValidate
        className="flex flex-col gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate({ name, workspaces: reach === "all" ? "all" : workspace.id, allowDelete, password });
        }}
      >
        <Field label="Name" error={errors.name} help="What you will know it by, such as Nightly build.">
          {(control) => <Input {...control} value={name} maxLength={120} onChange={(event) => setName(event.target.value)} />}
        </Field>
        <Field label="Workspaces">
          {(control) => (
            <Select {...control} value={reach} onChange={(event) => setReach(event.target.value as typeof reach)}>
              <option value="this">{workspace.name} only</option>
              <option value="all">All your workspaces</option>
            </Select>
          )}
        </Field>
        <SwitchField
          label="Allow deleting"
          help="Posts, images and terms; posts and images wait in the trash for 30 days."
          checked={allowDelete}
          onCheckedChange={setAllowDelete}
        />
        <input type="text" name="username" autoComplete="username" value={user.email} readOnly hidden />
        <Field label="Your password" error={errors.password} help="Because the token outlives your session.">
          {(control) => (
            <PasswordInput
              {...control}
              autoComplete="current-password"
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          )}
        </Field>
        {create.isError && !errors.name && !errors.password && <Notice tone="danger">{messageOf(create.error)}</Notice>}
      </form>
    </Dialog>
  );
}

function MadeToken({ name, token, onClose }: { name: string; token: string; onClose: () => void }) {
  const [warned, setWarned] = useState(false);
  return (
    <Dialog
      key="made"
      open
      width="md"
      onOpenChange={() => setWarned(true)}
      title={`${name} is ready`}
      description="Copy the token now. It is shown this once: Stet keeps only a hash of it."
      footer={
        <Button variant="primary" onClick={onClose}>
          I saved it
        </Button>
      }
    >
      <div className="flex flex-col gap-4 text-sm">
        <CopyField label="token" value={token} />
        <div>
          <p className="mb-1.5 font-medium">Try it</p>
          <CopyField
            label="command"
            multiline
            value={`curl "${window.location.origin}/api/cli/whoami" \\\n  -H "Authorization: Bearer ${token}"`}
          />
        </div>
        {warned && (
          <Notice tone="warn" action={<Button onClick={onClose}>Close anyway</Button>}>
            The token cannot be shown again. If it is lost, disconnect {name} and make another.
          </Notice>
        )}
      </div>
    </Dialog>
  );
}
