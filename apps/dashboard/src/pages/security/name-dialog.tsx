import { messageOf } from "../../lib/problem.ts";
import { textIn, useForm } from "../../lib/use-form.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/inputs.tsx";

/** Asks for a name, and closes when it was taken. */
export function NameDialog({
  open,
  onOpenChange,
  title,
  help,
  action,
  initial,
  onName,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  help?: string;
  action: string;
  initial: string;
  onName: (name: string) => Promise<void>;
}) {
  const form = useForm(async (values) => {
    await onName(textIn(values, "name").trim());
    onOpenChange(false);
  });
  const change = (next: boolean) => {
    form.setError(null);
    onOpenChange(next);
  };
  return (
    <Dialog open={open} onOpenChange={change} title={title}>
      <form className="flex flex-col gap-4" onSubmit={form.onSubmit}>
        <Field label="Name" error={form.error === null ? undefined : messageOf(form.error)} {...(help !== undefined && { help })}>
          {(control) => (
            <Input {...control} name="name" defaultValue={initial} required pattern=".*\S.*" maxLength={60} autoComplete="off" />
          )}
        </Field>
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={() => change(false)}>Cancel</Button>
          <Button type="submit" variant="primary" busy={form.busy}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
