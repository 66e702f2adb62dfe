import { Outlet, useParams } from "@tanstack/react-router";
import { Suspense, useEffect } from "react";
import { useSession } from "../api/session.ts";
import { lastWebsite } from "../lib/last-website.ts";
import { NotFound } from "../ui/not-found.tsx";
import { Loading } from "../ui/spinner.tsx";
import { AccountNotice } from "./account-notice.tsx";
import { SignOutDialog } from "./sign-out-dialog.tsx";
import { WebsiteProvider, workspaceContext, WorkspaceProvider } from "./website-context.ts";

export function SignedInLayout() {
  return (
    <Suspense fallback={<Loading />}>
      <Outlet />
      <SignOutDialog />
      <AccountNotice />
    </Suspense>
  );
}

export function WebsiteLayout() {
  const session = useSession();
  const { websiteId } = useParams({ from: "/signed-in/s/$websiteId" });
  const workspace = session.workspaces.find(({ websites }) => websites.some(({ id }) => id === websiteId));
  const website = workspace?.websites.find(({ id }) => id === websiteId);
  useEffect(() => {
    if (website) lastWebsite.set(website.id);
  }, [website]);
  if (!workspace || !website) return <NotFound />;
  const context = workspaceContext(session, workspace);
  return (
    <WorkspaceProvider value={context}>
      {/* The key resets the state of the pages when the website changes. */}
      <WebsiteProvider key={website.id} value={{ ...context, website }}>
        <Outlet />
      </WebsiteProvider>
    </WorkspaceProvider>
  );
}

export function WorkspaceLayout() {
  const session = useSession();
  const { workspaceId } = useParams({ from: "/signed-in/w/$workspaceId" });
  const workspace = session.workspaces.find(({ id }) => id === workspaceId);
  if (!workspace) return <NotFound />;
  return (
    <WorkspaceProvider key={workspace.id} value={workspaceContext(session, workspace)}>
      <Outlet />
    </WorkspaceProvider>
  );
}
