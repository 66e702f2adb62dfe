import { Link, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { authCodeOf, authPost } from "../../api/auth.ts";
import { messageOf } from "../../lib/problem.ts";
import { textIn, useForm } from "../../lib/use-form.ts";
import { AuthFrame } from "../../shell/auth-frame.tsx";
import { Button, buttonClass } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { NewPasswordField } from "../../ui/person-fields.tsx";

export function ResetPasswordPage() {
  const { token } = useSearch({ from: "/reset-password" });
  const [isDone, setDone] = useState(false);
  const form = useForm(async (values) => {
    await authPost("/reset-password", { token, newPassword: textIn(values, "password") });
    setDone(true);
  });
  if (isDone) {
    return (
      <AuthFrame title="Password changed" description="All your devices are signed out.">
        <Link to="/sign-in" className={buttonClass({ variant: "primary", size: "lg" })}>
          Sign in
        </Link>
      </AuthFrame>
    );
  }
  const code = authCodeOf(form.error);
  if (token === undefined || code === "INVALID_TOKEN") {
    return (
      <AuthFrame title="This link no longer works" description="It was used, has expired or is incomplete. Your password has not changed.">
        <Link to="/forgot-password" className={buttonClass({ variant: "primary", size: "lg" })}>
          Get a new link
        </Link>
      </AuthFrame>
    );
  }
  const message = form.error === null ? undefined : messageOf(form.error);
  const isAboutPassword = code?.startsWith("PASSWORD_") ?? false;
  return (
    <AuthFrame title="Choose a new password" description="This signs out all your devices.">
      <form className="flex flex-col gap-4" onSubmit={form.onSubmit}>
        {message && !isAboutPassword && <Notice tone="danger">{message}</Notice>}
        <NewPasswordField label="New password" autoFocus error={isAboutPassword ? message : undefined} />
        <Button type="submit" variant="primary" size="lg" busy={form.busy}>
          Save password
        </Button>
      </form>
    </AuthFrame>
  );
}
