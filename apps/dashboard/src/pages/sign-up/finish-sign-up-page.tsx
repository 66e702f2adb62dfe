import { Link, useSearch } from "@tanstack/react-router";
import { postJson } from "../../api/request.ts";
import { ApiProblem, isProblem, formErrorOf } from "../../lib/problem.ts";
import { textIn, useForm } from "../../lib/use-form.ts";
import { AuthFrame } from "../../shell/auth-frame.tsx";
import { useFinishSignIn } from "../../shell/use-finish-sign-in.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { EmailField, NameField, NewPasswordField } from "../../ui/person-fields.tsx";

/** The page that the sign-up email links to. */
export function FinishSignUpPage() {
  const { email, token } = useSearch({ from: "/finish-sign-up" });
  const finishSignIn = useFinishSignIn();
  const form = useForm(async (values) => {
    await postJson("/api/sign-up/finish", { email, token, name: textIn(values, "name").trim(), password: textIn(values, "password") });
    await finishSignIn("/welcome");
  });
  if (email === undefined || token === undefined || isProblem(form.error, "NOT_FOUND")) {
    return (
      <AuthFrame
        title="This link no longer works"
        description="It was used, has expired or is incomplete. If you have an account, sign in."
      >
        <Link to="/sign-in" className={buttonClass({ variant: "primary", size: "lg" })}>
          Sign in
        </Link>
        <Link to="/sign-up" className={buttonClass({ size: "lg" })}>
          Get a new link
        </Link>
      </AuthFrame>
    );
  }
  const wrongWith = (field: string, name: string) => {
    const message = form.error instanceof ApiProblem ? form.error.fieldError(field) : undefined;
    return message === undefined ? undefined : `${name} ${message}.`;
  };
  const message = formErrorOf(form.error, ["email", "name", "password"]);
  return (
    <AuthFrame title="Create an account" description="Choose your name and password.">
      <form className="flex flex-col gap-4" onSubmit={form.onSubmit}>
        {message && <Notice tone="danger">{message}</Notice>}
        <EmailField defaultValue={email} readOnly error={wrongWith("email", "This address")} />
        <NameField autoFocus error={wrongWith("name", "The name")} />
        <NewPasswordField error={wrongWith("password", "The password")} />
        <Button type="submit" variant="primary" size="lg" busy={form.busy} className="mt-1">
          Create account
        </Button>
      </form>
    </AuthFrame>
  );
}
