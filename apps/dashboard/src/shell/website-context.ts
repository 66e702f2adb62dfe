import { createContext, use } from "react";
import type { Permission, Reach } from "../api/registry.ts";
import type { Session, SessionWorkspace } from "../api/session.ts";

/** The workspace that a page belongs to, and what the signed-in person may do in it. */
export interface WorkspaceContext {
  readonly session: Session;
  readonly workspace: SessionWorkspace;
  /** Whether the person has the permission at all; it may reach only their own posts (`reach`). The server decides again. */
  may(permission: Permission): boolean;
  reach(permission: Permission): Reach;
}

/** The same for a page of a website. */
export interface WebsiteContext extends WorkspaceContext {
  readonly website: { readonly id: string; readonly name: string };
}

const CurrentWorkspace = createContext<WorkspaceContext | null>(null);
const CurrentWebsite = createContext<WebsiteContext | null>(null);
export { CurrentWebsite as WebsiteProvider, CurrentWorkspace as WorkspaceProvider };

/** The workspace of the page; pages of a website have one too. */
export function useWorkspaceContext(): WorkspaceContext {
  const context = use(CurrentWorkspace);
  if (!context) throw new Error("This page is outside of a workspace.");
  return context;
}

export function useWebsiteContext(): WebsiteContext {
  const context = use(CurrentWebsite);
  if (!context) throw new Error("This page is outside of a website.");
  return context;
}

/** The workspace and the website of the page, where it has them: for parts of the frame, which is around every page. */
export const useOptionalContext = (): { workspace: WorkspaceContext | null; website: WebsiteContext | null } => ({
  workspace: use(CurrentWorkspace),
  website: use(CurrentWebsite),
});

export const workspaceContext = (session: Session, workspace: SessionWorkspace): WorkspaceContext => ({
  session,
  workspace,
  may: (permission) => workspace.reach[permission] !== "none",
  reach: (permission) => workspace.reach[permission],
});
