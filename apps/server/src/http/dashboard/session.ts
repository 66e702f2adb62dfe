import type { Role } from "@stet/contract";
import { type Permission, PERMISSIONS, type Reach } from "#domain/access";
import { userActor } from "#domain/actor";
import type { TransportServices } from "#operations/kernel/transport-services";
import { listWorkspaces } from "#operations/workspaces/list-workspaces";
import type { ApiRoute } from "./api.ts";
import { sendData } from "./json.ts";
import { findSession, type Sessions } from "../shared/sessions.ts";

/**
 * `GET /api/session`: who is signed in, and where they may go. The first thing that the dashboard asks, on every page: that nobody
 * is signed in is an answer like any other here, not a failure that browsers write in red.
 */
export function sessionRoute(services: TransportServices, sessions: Sessions): ApiRoute {
  return {
    method: "GET",
    path: "/session",
    async handle({ request, response }) {
      const session = await findSession(sessions, request);
      if (!session) return sendData(response, null);
      const { userId, name, email, emailVerified, twoFactorEnabled, setCookies } = session;
      const reachable = await services.execute(listWorkspaces, userActor(userId), {});
      const workspaces = reachable.map((workspace) => ({
        id: workspace.id,
        name: workspace.name,
        plan: workspace.plan,
        role: workspace.role,
        reach: reachOfRole(workspace.role),
        websites: workspace.websites.map((website) => ({ id: website.id, name: website.name })),
      }));
      if (setCookies.length > 0) response.setHeader("Set-Cookie", [...setCookies]);
      sendData(response, { user: { id: userId, name, email, emailVerified, twoFactorEnabled }, workspaces });
    },
  };
}

/** The dashboard shows what a role may do by the policy's own table. */
const reachOfRole = (role: Role): Readonly<Record<Permission, Reach>> =>
  Object.fromEntries(Object.entries(PERMISSIONS).map(([permission, byRole]) => [permission, byRole[role]])) as Record<Permission, Reach>;
