import { useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { authCodeOf, authPost } from "../../api/auth.ts";
import { SESSIONS_KEY } from "../../api/device-sessions.ts";
import { useSession } from "../../api/session.ts";
import { messageOf } from "../../lib/problem.ts";
import { textIn, useForm } from "../../lib/use-form.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Field } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { PasswordInput } from "../../ui/password-input.tsx";
import { NewPasswordField } from "../../ui/person-fields.tsx";
import { toast } from "../../ui/toast.tsx";

export function PasswordCard() {
  const { user } = useSession();
  const client = useQueryClient();
  const element = useRef<HTMLFormElement>(null);
  const form = useForm(async (values) => {
    await authPost("/change-password", { currentPassword: textIn(values, "current"), newPassword: textIn(values, "password") });
    element.current?.reset();
    await client.invalidateQueries({ queryKey: SESSIONS_KEY });
    toast.ok("Password changed. Your other devices are signed out.");
  });
  const code = authCodeOf(form.error);
  const message = form.error === null ? undefined : messageOf(form.error);
  const isAboutCurrent = code === "INVALID_PASSWORD";
  const isAboutNew = code?.startsWith("PASSWORD_") ?? false;
  return (
    <form ref={element} onSubmit={form.onSubmit}>
      <Card
        title="Password"
        description="Changing it signs out all your other devices."
        footer={
          <Button type="submit" variant="primary" busy={form.busy}>
            Change password
          </Button>
        }
      >
        <div className="flex max-w-md flex-col gap-4">
          {message && !isAboutCurrent && !isAboutNew && <Notice tone="danger">{message}</Notice>}
          {/* For password managers, which keep both together. */}
          <input type="text" name="username" autoComplete="username" value={user.email} readOnly hidden />
          <Field label="Current password" error={isAboutCurrent ? message : undefined}>
            {(control) => <PasswordInput {...control} name="current" autoComplete="current-password" required className="h-10" />}
          </Field>
          <NewPasswordField label="New password" error={isAboutNew ? message : undefined} />
        </div>
      </Card>
    </form>
  );
}
