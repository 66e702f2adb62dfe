import { Outlet, useParams } from "@tanstack/react-router";
import { createContext, Suspense, use, useEffect } from "react";
import type { Permission, Reach } from "../api/registry.ts";
import { type Session, type SessionWorkspace, useSession } from "../api/session.ts";
import { lastWebsite } from "../lib/last-website.ts";
import { NotFound } from "../ui/not-found.tsx";
import { Loading } from "../ui/spinner.tsx";
import { SignOutDialog } from "./sign-out-dialog.tsx";

/** Where a page is: which workspace, and what the person may do there. */
export interface WorkspacePlaceValue {
  readonly session: Session;
  readonly workspace: SessionWorkspace;
  /** Whether anything of the kind is allowed; some only for one's own posts (`reach`). The server decides again. */
  may(permission: Permission): boolean;
  reach(permission: Permission): Reach;
}
export interface PlaceValue extends WorkspacePlaceValue {
  readonly website: { readonly id: string; readonly name: string };
}

const Workspace = createContext<WorkspacePlaceValue | null>(null);
const Website = createContext<PlaceValue | null>(null);

/** The workspace around a page: on pages of a website too. */
export function useWorkspace(): WorkspacePlaceValue {
  const place = use(Workspace);
  if (!place) throw new Error("This page is outside of a workspace.");
  return place;
}

export function usePlace(): PlaceValue {
  const place = use(Website);
  if (!place) throw new Error("This page is outside of a website.");
  return place;
}

/** The place if there is one: for what stands on every page. */
export const useAnyPlace = (): { workspace: WorkspacePlaceValue | null; website: PlaceValue | null } => ({
  workspace: use(Workspace),
  website: use(Website),
});

const placeIn = (session: Session, workspace: SessionWorkspace): WorkspacePlaceValue => ({
  session,
  workspace,
  may: (permission) => workspace.reach[permission] !== "none",
  reach: (permission) => workspace.reach[permission],
});

export function SignedInPlace() {
  return (
    <Suspense fallback={<Loading />}>
      <Outlet />
      <SignOutDialog />
    </Suspense>
  );
}

export function WebsitePlace() {
  const session = useSession();
  const { websiteId } = useParams({ from: "/signed-in/s/$websiteId" });
  const workspace = session.workspaces.find(({ websites }) => websites.some(({ id }) => id === websiteId));
  const website = workspace?.websites.find(({ id }) => id === websiteId);
  useEffect(() => {
    if (website) lastWebsite.set(website.id);
  }, [website]);
  if (!workspace || !website) return <NotFound />;
  const place = placeIn(session, workspace);
  return (
    <Workspace value={place}>
      {/* The key: nothing of one website is left over on another. */}
      <Website key={website.id} value={{ ...place, website }}>
        <Outlet />
      </Website>
    </Workspace>
  );
}

export function WorkspacePlace() {
  const session = useSession();
  const { workspaceId } = useParams({ from: "/signed-in/w/$workspaceId" });
  const workspace = session.workspaces.find(({ id }) => id === workspaceId);
  if (!workspace) return <NotFound />;
  return (
    <Workspace key={workspace.id} value={placeIn(session, workspace)}>
      <Outlet />
    </Workspace>
  );
}
