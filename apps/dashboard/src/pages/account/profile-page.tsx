import { useQueryClient } from "@tanstack/react-query";
import { authMessageOf, authPost } from "../../api/auth.ts";
import { sessionOptions, useSession } from "../../api/session.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/inputs.tsx";
import { Page } from "../../ui/page.tsx";
import { toast } from "../../ui/toast.tsx";
import { textIn, useForm } from "../auth/use-form.ts";
import { EmailCard } from "./email-card.tsx";

export function ProfilePage() {
  const { user } = useSession();
  const client = useQueryClient();
  const form = useForm(async (values) => {
    await authPost("/update-user", { name: textIn(values, "name").trim() });
    await client.invalidateQueries(sessionOptions);
    toast.ok("Your profile is saved.");
  });
  return (
    <Page title="Profile" description="How the people you work with see you. Bylines of posts are authors of the website." narrow>
      <form onSubmit={form.onSubmit}>
        <Card
          footer={
            <Button type="submit" variant="primary" busy={form.busy}>
              Save
            </Button>
          }
        >
          <div className="flex max-w-md flex-col gap-4 pt-1">
            <Avatar name={user.name || user.email} className="size-14 text-lg" />
            <Field label="Name" error={form.error === null ? undefined : authMessageOf(form.error)}>
              {(control) => (
                <Input {...control} name="name" defaultValue={user.name} autoComplete="name" required pattern=".*\S.*" maxLength={100} />
              )}
            </Field>
          </div>
        </Card>
      </form>
      <EmailCard />
    </Page>
  );
}
