import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { postJson } from "../../api/request.ts";
import { installOptions } from "../../api/session.ts";
import { justCreatedKey } from "../../lib/just-created-key.ts";
import { ApiProblem, isProblem, messageOf } from "../../lib/problem.ts";
import { textIn, useForm } from "../../lib/use-form.ts";
import { ownTimeZone } from "../../lib/zoned-time.ts";
import { AuthFrame } from "../../shell/auth-frame.tsx";
import { Button, buttonClass } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { EmailField, NameField, NewPasswordField } from "../../ui/person-fields.tsx";
import { SamplePostsSwitch, WebsiteNameField, WorkspaceNameField } from "../../ui/website-fields.tsx";

interface Person {
  readonly name: string;
  readonly email: string;
  readonly password: string;
}
interface SetupResult {
  readonly workspaceId: string;
  readonly websiteId: string;
  readonly key: string;
}

const OF_PERSON = ["name", "email", "password"];

/** From the link on the console to the first owner, workspace and website. */
export function SetupPage() {
  const { token } = useParams({ from: "/setup/$token" });
  const { data: install } = useQuery(installOptions);
  const client = useQueryClient();
  const navigate = useNavigate();
  const [step, setStep] = useState<"person" | "website">("person");
  const [person, setPerson] = useState<Person>({ name: "", email: "", password: "" });
  const [names, setNames] = useState({ workspaceName: "", websiteName: "" });
  const [samplePosts, setSamplePosts] = useState(true);
  const form = useForm(async () => {
    const { data } = await postJson<{ data: SetupResult }>("/api/setup", {
      token,
      ...person,
      workspaceName: names.workspaceName.trim(),
      websiteName: names.websiteName.trim(),
      samplePosts,
      timeZone: ownTimeZone(),
    }).catch((error: unknown) => {
      // Errors of the first step are corrected there.
      if (error instanceof ApiProblem && error.errors.some(({ field }) => OF_PERSON.includes(field))) setStep("person");
      throw error;
    });
    justCreatedKey.keep(data.websiteId, { key: data.key, id: null });
    client.clear();
    await navigate({ to: "/s/$websiteId/connect", params: { websiteId: data.websiteId } });
  });
  const problem = form.error instanceof ApiProblem ? form.error : null;
  const isElsewhere = form.error !== null && !problem?.errors.length;

  const openWebsiteStep = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const values = new FormData(event.currentTarget);
    setPerson({ name: textIn(values, "name").trim(), email: textIn(values, "email").trim(), password: textIn(values, "password") });
    form.setError(null);
    setStep("website");
  };

  // While it is being set up, and on the way to the next page, the answer changes under this one.
  const isSetUp = install?.needsSetup === false && !form.busy;
  if (isSetUp || isProblem(form.error, "NOT_FOUND")) return <LinkUsed isSetUp={isSetUp} />;
  if (step === "person") {
    return (
      <AuthFrame
        title="Welcome to Stet"
        description="Two short steps, then you can write. First, create your account. You will be the owner."
        footer="Step 1 of 2"
      >
        <form className="flex flex-col gap-4" onSubmit={openWebsiteStep}>
          <NameField autoFocus defaultValue={person.name} error={problem?.fieldError("name")} />
          <EmailField defaultValue={person.email} error={problem?.fieldError("email")} />
          <NewPasswordField defaultValue={person.password} error={problem?.fieldError("password")} />
          <Button type="submit" variant="primary" size="lg" className="mt-1">
            Continue
          </Button>
        </form>
      </AuthFrame>
    );
  }
  return (
    <AuthFrame title="Your first website" description="Both names can be changed at any time." footer="Step 2 of 2">
      <form className="flex flex-col gap-4" onSubmit={form.onSubmit}>
        {isElsewhere && <Notice tone="danger">{messageOf(form.error)}</Notice>}
        <WorkspaceNameField
          value={names.workspaceName}
          onChange={(workspaceName) => setNames({ ...names, workspaceName })}
          error={problem?.fieldError("workspaceName")}
        />
        <WebsiteNameField
          required
          value={names.websiteName}
          onChange={(websiteName) => setNames({ ...names, websiteName })}
          error={problem?.fieldError("websiteName")}
        />
        <SamplePostsSwitch checked={samplePosts} onCheckedChange={setSamplePosts} />
        <Button type="submit" variant="primary" size="lg" busy={form.busy} className="mt-1">
          {form.busy ? "Setting up …" : "Finish setup"}
        </Button>
        <Button variant="ghost" disabled={form.busy} onClick={() => setStep("person")}>
          Back
        </Button>
      </form>
    </AuthFrame>
  );
}

function LinkUsed({ isSetUp }: { isSetUp: boolean }) {
  return (
    <AuthFrame
      title={isSetUp ? "Stet is already set up" : "This link does not work"}
      description={
        isSetUp
          ? "It has an owner, so this link no longer works. Sign in, or ask the owner for an invitation."
          : "It is incomplete, or for another server. Copy it again from the console where Stet was started."
      }
    >
      <Link to="/sign-in" className={buttonClass({ variant: isSetUp ? "primary" : "outline", size: "lg" })}>
        Go to sign-in
      </Link>
    </AuthFrame>
  );
}
