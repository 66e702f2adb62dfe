import { type Permission, reachOf } from "#domain/access";
import type { Platform } from "#ports/platform";
import type { Call, InWorkspace, Operation, Scope } from "./operation.ts";

/**
 * The context of a change, in which a lock of the workspace is had only by those who still may. Whoever waited for the lock may have been
 * removed or given another role meanwhile, and what is made under it outlasts that: an invitation, somebody's role, a key, a store.
 */
export function askedUnderLock<S extends Scope, Input, Output, Context extends Call>(
  { activity, permission }: Operation<S, Input, Output>,
  context: Context,
): Context {
  const { actor, services, workspace } = context as Context & Partial<InWorkspace>;
  if (actor.type === "system" || activity === "none" || !workspace) return context;
  const { platform } = services;
  const locked: Platform["locked"] = (workspaceId, work) =>
    platform.locked(workspaceId, async (held) => {
      const role = await held.members.role(workspaceId, actor.userId);
      reachOf(actor, permission as Permission, { workspaceId, role });
      return work(held);
    });
  return { ...context, services: { ...services, platform: { ...platform, locked } } };
}
