import { useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { authCodeOf, authMessageOf, authPost } from "../../api/auth.ts";
import { rpc } from "../../api/rpc.ts";
import { installOptions } from "../../api/session.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Loading } from "../../ui/spinner.tsx";
import { useArrive } from "./arrive.ts";
import { AuthFrame, linkClass } from "./auth-frame.tsx";
import { EmailField, NameField, NewPasswordField } from "./person-fields.tsx";
import { textIn, useForm } from "./use-form.ts";

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
  if (install.signups === "open" && !install.needsSetup) return <SignUpForm mail={install.mail} />;
  return (
    <AuthFrame
      title="By invitation only"
      description={
        install.needsSetup
          ? "This install has no owner yet. The sign-in page says how it is set up."
          : "On this install accounts begin with an invitation. Ask an owner or admin of the workspace that you want to join: they can send you one."
      }
    >
      <Link to="/sign-in" className={buttonClass({ size: "lg" })}>
        Go to the sign-in page
      </Link>
    </AuthFrame>
  );
}

function SignUpForm({ mail }: { mail: boolean }) {
  const { next } = useSearch({ from: "/sign-up" });
  const arrive = useArrive();
  const form = useForm(async (values) => {
    await authPost("/sign-up/email", {
      name: textIn(values, "name").trim(),
      email: textIn(values, "email").trim(),
      password: textIn(values, "password"),
    });
    // Whether it arrives is shown on the account's page; nobody has to wait for it here.
    if (mail) await rpc("send_email_proof", {}).catch(() => {});
    await arrive(next ?? "/welcome");
  });
  const code = authCodeOf(form.error);
  const message = form.error === null ? undefined : authMessageOf(form.error);
  const isAboutEmail = code === "USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL" || code === "INVALID_EMAIL";
  const isAboutPassword = code?.startsWith("PASSWORD_") ?? false;
  return (
    <AuthFrame
      title="Create an account"
      footer={
        <p>
          Have one already?{" "}
          <Link to="/sign-in" search={next === undefined ? {} : { next }} className={linkClass}>
            Sign in
          </Link>
        </p>
      }
    >
      <form className="flex flex-col gap-4" onSubmit={form.onSubmit}>
        {message && !isAboutEmail && !isAboutPassword && <Notice tone="danger">{message}</Notice>}
        <NameField autoFocus />
        <EmailField error={isAboutEmail ? message : undefined} />
        <NewPasswordField error={isAboutPassword ? message : undefined} />
        <Button type="submit" variant="primary" size="lg" busy={form.busy} className="mt-1">
          Create the account
        </Button>
      </form>
    </AuthFrame>
  );
}
