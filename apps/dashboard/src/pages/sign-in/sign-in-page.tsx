import { useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { KeyRound } from "lucide-react";
import { useState } from "react";
import { authPost } from "../../api/auth.ts";
import { canUsePasskeys, signInWithPasskey } from "../../api/passkeys.ts";
import { installOptions } from "../../api/session.ts";
import { messageOf } from "../../lib/problem.ts";
import { textIn, useForm } from "../../lib/use-form.ts";
import { AuthFrame, linkClass } from "../../shell/auth-frame.tsx";
import { useFinishSignIn } from "../../shell/use-finish-sign-in.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/inputs.tsx";
import { Notice } from "../../ui/notice.tsx";
import { PasswordInput } from "../../ui/password-input.tsx";
import { Loading } from "../../ui/spinner.tsx";
import { NeedsSetup } from "./needs-setup.tsx";
import { SecondFactor } from "./second-factor.tsx";

export function SignInPage() {
  const { next = "/" } = useSearch({ from: "/sign-in" });
  const { data: install, isPending } = useQuery(installOptions);
  const finishSignIn = useFinishSignIn();
  const [isSecondStep, setSecondStep] = useState(false);
  const form = useForm(async (values) => {
    const { twoFactorRedirect } = await authPost<{ twoFactorRedirect?: boolean }>("/sign-in/email", {
      email: textIn(values, "email").trim(),
      password: textIn(values, "password"),
    });
    if (twoFactorRedirect) setSecondStep(true);
    else await finishSignIn(next);
  });
  const passkey = useForm(async () => {
    await signInWithPasskey();
    await finishSignIn(next);
  });

  if (isPending) return <Loading />;
  if (install?.needsSetup) return <NeedsSetup />;
  if (isSecondStep) return <SecondFactor onDone={() => finishSignIn(next)} onCancel={() => setSecondStep(false)} />;
  const error = form.error ?? passkey.error;
  return (
    <AuthFrame
      title="Sign in"
      footer={
        install?.signups === "open" ? (
          <p>
            No account yet?{" "}
            <Link to="/sign-up" search={next === "/" ? {} : { next }} className={linkClass}>
              Create one
            </Link>
          </p>
        ) : (
          install && <p>Accounts are by invitation only. Ask an owner or admin of your workspace to invite you.</p>
        )
      }
    >
      <form className="flex flex-col gap-4" onSubmit={form.onSubmit}>
        {error !== null && <Notice tone="danger">{messageOf(error)}</Notice>}
        <Field label="Email">
          {(control) => <Input {...control} name="email" type="email" autoComplete="username" required autoFocus className="h-10" />}
        </Field>
        <div className="relative">
          <Field label="Password">
            {(control) => <PasswordInput {...control} name="password" autoComplete="current-password" required className="h-10" />}
          </Field>
          <Link to="/forgot-password" className="absolute top-0 right-0 text-[0.8125rem] text-muted underline-offset-3 hover:underline">
            Forgot password?
          </Link>
        </div>
        <Button type="submit" variant="primary" size="lg" busy={form.busy} className="mt-1">
          Sign in
        </Button>
      </form>
      {canUsePasskeys() && (
        <form className="flex flex-col gap-5" onSubmit={passkey.onSubmit}>
          <p
            aria-hidden
            className="flex items-center gap-3 text-xs text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line"
          >
            or
          </p>
          <Button type="submit" size="lg" busy={passkey.busy} onClick={() => form.setError(null)}>
            {!passkey.busy && <KeyRound aria-hidden />}
            Sign in with a passkey
          </Button>
        </form>
      )}
    </AuthFrame>
  );
}
