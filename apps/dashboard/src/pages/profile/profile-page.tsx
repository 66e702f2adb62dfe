import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { authPost } from "../../api/auth.ts";
import { sessionOptions, useSession } from "../../api/session.ts";
import { messageOf } from "../../lib/problem.ts";
import { textIn, useForm } from "../../lib/use-form.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/inputs.tsx";
import { LeaveGuard } from "../../ui/leave-guard.tsx";
import { Page } from "../../ui/page.tsx";
import { toast } from "../../ui/toast.tsx";
import { EmailCard } from "./email-card.tsx";

export function ProfilePage() {
  const { user } = useSession();
  const client = useQueryClient();
  // Null: nothing is typed, and the name is shown as it is on the server.
  const [typed, setTyped] = useState<string | null>(null);
  const name = typed ?? user.name;
  const isChanged = name.trim() !== user.name;
  const form = useForm(async (values) => {
    const saved = textIn(values, "name").trim();
    await authPost("/update-user", { name: saved });
    await client.invalidateQueries(sessionOptions);
    setTyped(null);
    toast.ok("Profile saved.");
  });
  return (
    <Page title="Profile" description="How other members see you. Bylines are set under Authors." narrow>
      <form onSubmit={form.onSubmit}>
        <LeaveGuard when={isChanged && !form.busy} />
        <Card
          footer={
            <>
              <p role="status" className="mr-auto text-sm text-muted">
                {isChanged ? "Unsaved changes" : "All changes saved"}
              </p>
              <Button type="submit" variant="primary" disabled={!isChanged} busy={form.busy}>
                Save
              </Button>
            </>
          }
        >
          <div className="flex max-w-md flex-col gap-4 pt-1">
            <Avatar name={user.name || user.email} className="size-14 text-lg" />
            <Field label="Name" error={form.error === null ? undefined : messageOf(form.error)}>
              {(control) => (
                <Input
                  {...control}
                  name="name"
                  value={name}
                  onChange={(event) => setTyped(event.target.value)}
                  autoComplete="name"
                  required
                  pattern=".*\S.*"
                  maxLength={100}
                />
              )}
            </Field>
          </div>
        </Card>
      </form>
      <EmailCard />
    </Page>
  );
}
