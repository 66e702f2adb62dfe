import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { authPost } from "../../api/auth.ts";
import { installOptions } from "../../api/session.ts";
import { messageOf } from "../../lib/problem.ts";
import { textIn, useForm } from "../../lib/use-form.ts";
import { AuthFrame, linkClass } from "../../shell/auth-frame.tsx";
import { Button } from "../../ui/button.tsx";
import { CopyField } from "../../ui/copy-field.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Notice } from "../../ui/notice.tsx";
import { EmailField } from "../../ui/person-fields.tsx";
import { Loading } from "../../ui/spinner.tsx";

const back = (
  <p>
    <Link to="/sign-in" className={linkClass}>
      Back to sign in
    </Link>
  </p>
);

export function ForgotPasswordPage() {
  const { data: install, error, isLoadingError, refetch } = useQuery(installOptions);
  const [sentTo, setSentTo] = useState<string | null>(null);
  const form = useForm(async (values) => {
    const email = textIn(values, "email").trim();
    await authPost("/request-password-reset", { email });
    setSentTo(email);
  });
  if (isLoadingError) {
    return (
      <AuthFrame title="Reset your password" footer={back}>
        <ErrorState error={error} onRetry={() => void refetch()} />
      </AuthFrame>
    );
  }
  if (!install) return <Loading />;
  if (!install.mail) {
    return (
      <AuthFrame title="Reset your password" description="Email is not set up here, so the link has to be shared by hand." footer={back}>
        <p className="text-sm">
          Ask the person who runs this server for a reset link. They create it on the command line, with your email address:
        </p>
        <CopyField label="the command" value="npm run stet -- user reset-link you@example.com" />
        <p className="text-sm text-muted">The link works once and expires in an hour.</p>
      </AuthFrame>
    );
  }
  if (sentTo !== null) {
    return (
      <AuthFrame title="Check your email" footer={back}>
        <p className="text-sm" role="status">
          If <span className="font-medium wrap-anywhere">{sentTo}</span> has an account here, we sent a link to reset its password. It works
          once and expires in an hour.
        </p>
        <p className="text-sm text-muted">No email? Check your spam folder, or try the address you were invited with.</p>
        <Button onClick={() => setSentTo(null)}>Try another address</Button>
      </AuthFrame>
    );
  }
  return (
    <AuthFrame title="Reset your password" description="We email you a link." footer={back}>
      <form className="flex flex-col gap-4" onSubmit={form.onSubmit}>
        {form.error !== null && <Notice tone="danger">{messageOf(form.error)}</Notice>}
        <EmailField />
        <Button type="submit" variant="primary" size="lg" busy={form.busy}>
          Send link
        </Button>
      </form>
    </AuthFrame>
  );
}
