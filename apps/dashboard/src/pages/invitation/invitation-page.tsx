import type { Role } from "@stet/contract";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams, useSearch } from "@tanstack/react-router";
import { postJson, request } from "../../api/request.ts";
import { rpc } from "../../api/rpc.ts";
import { installOptions, sessionOptions } from "../../api/session.ts";
import { ApiProblem, isProblem, messageOf } from "../../lib/problem.ts";
import { ROLE_WORDS } from "../../lib/role-words.ts";
import { textIn, useForm } from "../../lib/use-form.ts";
import { AuthFrame, linkClass } from "../../shell/auth-frame.tsx";
import { SignOutDialog } from "../../shell/sign-out-dialog.tsx";
import { signOut } from "../../shell/sign-out.ts";
import { useFinishSignIn } from "../../shell/use-finish-sign-in.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/inputs.tsx";
import { Notice } from "../../ui/notice.tsx";
import { NameField, NewPasswordField } from "../../ui/person-fields.tsx";
import { Loading } from "../../ui/spinner.tsx";
import { toast } from "../../ui/toast.tsx";

interface Invitation {
  readonly workspaceName: string;
  /** Null when the account is gone. */
  readonly inviterName: string | null;
  readonly email: string;
  readonly role: Role;
  readonly hasAccount: boolean;
}

export function InvitationPage() {
  const { token } = useParams({ from: "/invitations/$token" });
  const { mailed } = useSearch({ from: "/invitations/$token" });
  const invitation = useQuery({
    queryKey: ["invitation", token],
    queryFn: async ({ signal }) => (await request<{ data: Invitation }>(`/api/invitations/${encodeURIComponent(token)}`, { signal })).data,
  });
  const session = useQuery(sessionOptions);
  if (isProblem(invitation.error, "NOT_FOUND")) {
    return (
      <AuthFrame title="This invitation is no longer valid" description={invitation.error.message}>
        <Link to="/" className={buttonClass({ size: "lg" })}>
          Go to the dashboard
        </Link>
      </AuthFrame>
    );
  }
  if (invitation.isLoadingError || session.isLoadingError) {
    const retry = () => void Promise.all([invitation.refetch(), session.refetch()]);
    return (
      <AuthFrame title="An invitation">
        <ErrorState error={invitation.error ?? session.error} onRetry={retry} />
      </AuthFrame>
    );
  }
  if (!invitation.data || session.data === undefined) return <Loading />;
  const { workspaceName, inviterName, role, email } = invitation.data;
  const user = session.data?.user;
  return (
    <AuthFrame
      title={`Join ${workspaceName}`}
      description={
        <>
          {inviterName ? `${inviterName} invites you` : "You are invited"} as {ROLE_WORDS[role].as}. {ROLE_WORDS[role].means}
        </>
      }
    >
      {!user && invitation.data.hasAccount && <HasAccount token={token} email={email} />}
      {!user && !invitation.data.hasAccount && <NewAccount token={token} mailed={mailed} email={email} />}
      {user && user.email.toLowerCase() === email.toLowerCase() && <Accept token={token} email={email} />}
      {user && user.email.toLowerCase() !== email.toLowerCase() && <WrongAccount signedIn={user} email={email} />}
    </AuthFrame>
  );
}

function HasAccount({ token, email }: { token: string; email: string }) {
  const { data: install } = useQuery(installOptions);
  return (
    <>
      <p className="text-sm">
        The invitation is for <span className="font-medium wrap-anywhere">{email}</span>, which already has an account.
      </p>
      <Link to="/sign-in" search={{ next: `/invitations/${token}` }} className={buttonClass({ variant: "primary", size: "lg" })}>
        Sign in to join
      </Link>
      {install?.mail && (
        <p className="text-sm text-muted">
          You did not create it?{" "}
          <Link to="/forgot-password" className={linkClass}>
            Reset its password
          </Link>
          . The email makes the account yours and signs out anyone else.
        </p>
      )}
    </>
  );
}

function NewAccount({ token, mailed, email }: { token: string; mailed: string | undefined; email: string }) {
  const finishSignIn = useFinishSignIn();
  const form = useForm(async (values) => {
    const { data } = await postJson<{ data: { workspaceName: string } }>(`/api/invitations/${encodeURIComponent(token)}/sign-up`, {
      name: textIn(values, "name").trim(),
      password: textIn(values, "password"),
      ...(mailed !== undefined && { mailed }),
    });
    toast.ok(`Welcome to ${data.workspaceName}.`);
    await finishSignIn("/");
  });
  const problem = form.error instanceof ApiProblem ? form.error : null;
  return (
    <form className="flex flex-col gap-4" onSubmit={form.onSubmit}>
      {form.error !== null && !problem?.errors.length && <Notice tone="danger">{messageOf(form.error)}</Notice>}
      <Field label="Email">
        {(control) => <Input {...control} value={email} readOnly autoComplete="username" className="h-10 bg-sunken text-muted" />}
      </Field>
      <NameField autoFocus error={problem?.fieldError("name")} />
      <NewPasswordField error={problem?.fieldError("password")} />
      <Button type="submit" variant="primary" size="lg" busy={form.busy} className="mt-1">
        Create account and join
      </Button>
    </form>
  );
}

function Accept({ token, email }: { token: string; email: string }) {
  const finishSignIn = useFinishSignIn();
  const form = useForm(async () => {
    const { workspaceId, workspaceName } = await rpc("accept_invitation", { token });
    toast.ok(`Welcome to ${workspaceName}.`);
    await finishSignIn(`/w/${workspaceId}`);
  });
  return (
    <form className="flex flex-col gap-4" onSubmit={form.onSubmit}>
      {form.error !== null && <Notice tone="danger">{messageOf(form.error)}</Notice>}
      <p className="text-sm">
        You are signed in as <span className="font-medium wrap-anywhere">{email}</span>.
      </p>
      <Button type="submit" variant="primary" size="lg" busy={form.busy}>
        Accept and join
      </Button>
    </form>
  );
}

/** An invitation is for one address; the link stays good for it. */
function WrongAccount({ signedIn, email }: { signedIn: { id: string; email: string }; email: string }) {
  const { pathname, search } = window.location;
  const form = useForm(() => signOut(signedIn.id, pathname + search));
  return (
    <form className="flex flex-col gap-4" onSubmit={form.onSubmit}>
      {form.error !== null && <Notice tone="danger">{messageOf(form.error)}</Notice>}
      <Notice tone="warn" title="This invitation is for another account">
        The invitation is for <span className="font-medium wrap-anywhere">{email}</span>, and you are signed in as{" "}
        <span className="font-medium wrap-anywhere">{signedIn.email}</span>.
      </Notice>
      <Button type="submit" variant="primary" size="lg" busy={form.busy}>
        Sign out and continue
      </Button>
      <Link to="/" className={buttonClass({ variant: "ghost" })}>
        Not now
      </Link>
      <SignOutDialog />
    </form>
  );
}
