import { useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { authCodeOf, authPost } from "../../api/auth.ts";
import { postJson } from "../../api/request.ts";
import { installOptions } from "../../api/session.ts";
import { ApiProblem, messageOf } from "../../lib/problem.ts";
import { textIn, useForm } from "../../lib/use-form.ts";
import { AuthFrame, linkClass } from "../../shell/auth-frame.tsx";
import { useFinishSignIn } from "../../shell/use-finish-sign-in.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Notice } from "../../ui/notice.tsx";
import { EmailField, NameField, NewPasswordField } from "../../ui/person-fields.tsx";
import { Loading } from "../../ui/spinner.tsx";

export function SignUpPage() {
  const { data: install, error, isLoadingError, refetch } = useQuery(installOptions);
  if (isLoadingError) {
    return (
      <AuthFrame title="Create an account">
        <ErrorState error={error} onRetry={() => void refetch()} />
      </AuthFrame>
    );
  }
  if (!install) return <Loading />;
  if (install.signups === "open" && !install.needsSetup) return install.mail ? <SignUpByLetter /> : <SignUpForm />;
  return (
    <AuthFrame
      title="By invitation only"
      description={
        install.needsSetup
          ? "Stet has no owner yet. The sign-in page shows how to set it up."
          : "Ask an owner or admin of the workspace you want to join to invite you."
      }
    >
      <Link to="/sign-in" className={buttonClass({ size: "lg" })}>
        Go to sign-in
      </Link>
    </AuthFrame>
  );
}

/** Below the form, for those who have an account. */
function SignInInstead() {
  const { next } = useSearch({ from: "/sign-up" });
  return (
    <p>
      Already have an account?{" "}
      <Link to="/sign-in" search={next === undefined ? {} : { next }} className={linkClass}>
        Sign in
      </Link>
    </p>
  );
}

/** Only the email says whether an address has an account, so that nobody else learns it. */
function SignUpByLetter() {
  const [sentTo, setSentTo] = useState<string | null>(null);
  const form = useForm(async (values) => {
    const email = textIn(values, "email").trim();
    await postJson("/api/sign-up", { email });
    setSentTo(email);
  });
  if (sentTo !== null) {
    return (
      <AuthFrame title="Check your email" footer={<SignInInstead />}>
        <p className="text-sm" role="status">
          We sent an email to <span className="font-medium wrap-anywhere">{sentTo}</span>. Open the link in it within an hour to choose your
          name and password.
        </p>
        <p className="text-sm text-muted">Nothing came? Look in the spam folder, or check the address.</p>
        <Button onClick={() => setSentTo(null)}>Use another address</Button>
      </AuthFrame>
    );
  }
  const wrong = form.error instanceof ApiProblem ? form.error.fieldError("email") : undefined;
  return (
    <AuthFrame title="Create an account" description="We send a link to your address." footer={<SignInInstead />}>
      <form className="flex flex-col gap-4" onSubmit={form.onSubmit}>
        {form.error !== null && wrong === undefined && <Notice tone="danger">{messageOf(form.error)}</Notice>}
        <EmailField autoFocus error={wrong === undefined ? undefined : `The address ${wrong}.`} />
        <Button type="submit" variant="primary" size="lg" busy={form.busy} className="mt-1">
          Continue
        </Button>
      </form>
    </AuthFrame>
  );
}

/** Without mail there is nothing to wait for. */
function SignUpForm() {
  const { next } = useSearch({ from: "/sign-up" });
  const finishSignIn = useFinishSignIn();
  const form = useForm(async (values) => {
    await authPost("/sign-up/email", {
      name: textIn(values, "name").trim(),
      email: textIn(values, "email").trim(),
      password: textIn(values, "password"),
    });
    await finishSignIn(next ?? "/welcome");
  });
  const code = authCodeOf(form.error);
  const message = form.error === null ? undefined : messageOf(form.error);
  const isAboutEmail = code === "USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL" || code === "INVALID_EMAIL";
  const isAboutPassword = code?.startsWith("PASSWORD_") ?? false;
  return (
    <AuthFrame title="Create an account" footer={<SignInInstead />}>
      <form className="flex flex-col gap-4" onSubmit={form.onSubmit}>
        {message && !isAboutEmail && !isAboutPassword && <Notice tone="danger">{message}</Notice>}
        <NameField autoFocus />
        <EmailField error={isAboutEmail ? message : undefined} />
        <NewPasswordField error={isAboutPassword ? message : undefined} />
        <Button type="submit" variant="primary" size="lg" busy={form.busy} className="mt-1">
          Create account
        </Button>
      </form>
    </AuthFrame>
  );
}
