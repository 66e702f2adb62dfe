import { useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { rpc } from "../../api/rpc.ts";
import { sessionOptions, useSession } from "../../api/session.ts";
import { justCreatedKey } from "../../lib/just-created-key.ts";
import { ApiProblem, isProblem, messageOf } from "../../lib/problem.ts";
import { useForm } from "../../lib/use-form.ts";
import { ownTimeZone } from "../../lib/zoned-time.ts";
import { AuthFrame, linkClass } from "../../shell/auth-frame.tsx";
import { signOut } from "../../shell/sign-out.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Select } from "../../ui/inputs.tsx";
import { Notice } from "../../ui/notice.tsx";
import { toast } from "../../ui/toast.tsx";
import { SamplePostsSwitch, WebsiteNameField, WorkspaceNameField } from "../../ui/website-fields.tsx";

const NEW = "new";
const SAMPLE_POSTS = 12;

/** Creates a workspace, a website, or both, for people who have none yet or want another. */
export function WelcomePage() {
  const { user, workspaces } = useSession();
  const client = useQueryClient();
  const navigate = useNavigate();
  const managed = workspaces.filter(({ reach }) => reach["website.manage"] !== "none");
  const [where, setWhere] = useState(managed[0]?.id ?? NEW);
  const [names, setNames] = useState({ workspaceName: "", websiteName: "" });
  const [samplePosts, setSamplePosts] = useState(false);
  const isNewWorkspace = where === NEW;

  const form = useForm(async () => {
    const websiteName = names.websiteName.trim();
    const workspaceId = isNewWorkspace ? (await rpc("create_workspace", { name: names.workspaceName.trim() })).id : where;
    try {
      const websiteId = websiteName === "" ? null : await makeWebsite(workspaceId, websiteName, samplePosts);
      await client.fetchQuery({ ...sessionOptions, staleTime: 0 });
      if (websiteId) await navigate({ to: "/s/$websiteId/connect", params: { websiteId } });
      else await navigate({ to: "/w/$workspaceId", params: { workspaceId } });
    } catch (error) {
      // The workspace is there: another attempt must not make a second one.
      if (isNewWorkspace) {
        await client.fetchQuery({ ...sessionOptions, staleTime: 0 });
        setWhere(workspaceId);
      }
      throw error;
    }
  });

  const problem = form.error instanceof ApiProblem ? form.error : null;
  const isFirst = workspaces.length === 0;
  return (
    <AuthFrame
      title={isFirst ? "Create your workspace" : "New website or workspace"}
      description={
        isFirst
          ? "A workspace holds your websites and the people who write for them. Invited to one? Open the link in your invitation instead."
          : "Add a website to one of your workspaces, or create a new workspace."
      }
      footer={
        <p>
          Signed in as <span className="wrap-anywhere">{user.email}</span>.{" "}
          <button type="button" className={linkClass} onClick={() => void signOut(user.id)}>
            Sign out
          </button>
        </p>
      }
    >
      <form className="flex flex-col gap-4" onSubmit={form.onSubmit}>
        {isProblem(form.error, "PLAN_LIMIT") ? (
          <Notice
            tone="warn"
            title="No room for another website"
            action={
              !isNewWorkspace && (
                <Link to="/w/$workspaceId/plan" params={{ workspaceId: where }} className={buttonClass({ size: "sm" })}>
                  View limits
                </Link>
              )
            }
          >
            {form.error.message}
          </Notice>
        ) : (
          form.error !== null && !problem?.errors.length && <Notice tone="danger">{messageOf(form.error)}</Notice>
        )}
        {managed.length > 0 && (
          <Field label="Add to">
            {(control) => (
              <Select {...control} value={where} onChange={(event) => setWhere(event.target.value)}>
                {managed.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
                <option value={NEW}>New workspace</option>
              </Select>
            )}
          </Field>
        )}
        {isNewWorkspace && (
          <WorkspaceNameField
            value={names.workspaceName}
            onChange={(workspaceName) => setNames({ ...names, workspaceName })}
            error={problem?.fieldError("name")}
          />
        )}
        <WebsiteNameField
          value={names.websiteName}
          onChange={(websiteName) => setNames({ ...names, websiteName })}
          required={!isNewWorkspace}
          autoFocus={!isNewWorkspace}
          help={isNewWorkspace ? "The blog you write for. Leave it empty to add one later." : "The blog you write for."}
          error={isNewWorkspace ? undefined : problem?.fieldError("name")}
        />
        <SamplePostsSwitch checked={samplePosts} onCheckedChange={setSamplePosts} />
        <Button type="submit" variant="primary" size="lg" busy={form.busy} className="mt-1">
          {isNewWorkspace ? "Create workspace" : "Create website"}
        </Button>
        {!isFirst && (
          <Link to="/" className={buttonClass({ variant: "ghost" })}>
            Cancel
          </Link>
        )}
      </form>
    </AuthFrame>
  );
}

async function makeWebsite(workspaceId: string, name: string, samplePosts: boolean): Promise<string> {
  const { id: websiteId } = await rpc("create_website", { workspaceId, name, settings: { timeZone: ownTimeZone() } });
  const { key, record } = await rpc("create_key", { websiteId, name: "First key" });
  justCreatedKey.keep(websiteId, { key, id: record.id });
  // A website without samples is better than none.
  if (samplePosts) await rpc("seed_website", { websiteId, posts: SAMPLE_POSTS }).catch((error: unknown) => toast.error(error));
  return websiteId;
}
