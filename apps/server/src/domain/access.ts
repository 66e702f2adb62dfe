import type { Role } from "@stet/contract";
import type { Actor } from "#domain/actor";
import { fail } from "#domain/failure";
import type { UserId, WorkspaceId } from "#domain/ids";

/** How far a permission reaches: everything, only what one wrote oneself, one's own and whatever is published, nothing. */
export type Reach = "any" | "own" | "own or published" | "none";

const all = { owner: "any", admin: "any", editor: "any", author: "any", contributor: "any" } as const;
const editors = { ...all, author: "none", contributor: "none" } as const;
const admins = { ...editors, editor: "none" } as const;
const ownerOnly = { ...admins, admin: "none" } as const;
const publishers = { ...all, author: "own", contributor: "none" } as const;

/** The one table of who may do what. docs/permissions.md is generated from it. */
export const PERMISSIONS = {
  "workspace.read": all,
  "workspace.leave": all,
  "post.read": { ...all, contributor: "own or published" },
  "post.create": all,
  "post.write": { ...all, author: "own", contributor: "own" },
  "post.publish": publishers,
  "post.delete": publishers,
  "post.restore": publishers,
  "post.purge": publishers,
  "post.undo": { ...all, author: "own", contributor: "own" },
  "suggestion.decide": { ...all, author: "own", contributor: "own" },
  "post.review": { ...all, author: "own", contributor: "own" },
  "term.create": { ...all, contributor: "none" },
  "term.manage": editors,
  "term.delete": editors,
  "media.upload": all,
  "media.manage": editors,
  "media.delete": editors,
  "media.replace": editors,
  "website.manage": admins,
  "website.export": admins,
  "website.import": admins,
  "key.manage": admins,
  "webhook.read": admins,
  "webhook.manage": admins,
  "store.manage": admins,
  "member.manage": admins,
  "connection.own": all,
  "connection.manage": admins,
  "activity.read": admins,
  "plan.change": ownerOnly,
  "website.delete": ownerOnly,
  "workspace.manage": admins,
  "workspace.delete": ownerOnly,
  "workspace.transfer": ownerOnly,
} as const satisfies Record<string, Readonly<Record<Role, Reach>>>;

export type Permission = keyof typeof PERMISSIONS;

/**
 * The most that a connected tool may do, whatever its owner's role. An allow-list: a permission added above is
 * closed to tools until someone writes it here. "with delete" needs the switch on the grant.
 */
const TOOLS: Partial<Record<Permission, "yes" | "with delete">> = {
  "workspace.read": "yes",
  "post.read": "yes",
  "post.create": "yes",
  "post.write": "yes",
  "post.publish": "yes",
  "post.review": "yes",
  "post.restore": "yes",
  "post.delete": "with delete",
  "term.create": "yes",
  "term.manage": "yes",
  "term.delete": "with delete",
  "media.upload": "yes",
  "media.manage": "yes",
  "media.delete": "with delete",
  "webhook.read": "yes",
};

export const toolMay = (permission: Permission): "yes" | "with delete" | "never" => TOOLS[permission] ?? "never";

/** Permissions that need no workspace: one's own account. The last belongs to the operator of the install. */
const ACCOUNT_PERMISSIONS = {
  "account.read": ["user", "tool", "system"],
  "account.write": ["user", "system"],
  "install.operate": ["system"],
} as const satisfies Record<string, readonly Actor["type"][]>;

export type AccountPermission = keyof typeof ACCOUNT_PERMISSIONS;

export function requireAccountPermission(actor: Actor, permission: AccountPermission): void {
  const allowed: readonly Actor["type"][] = ACCOUNT_PERMISSIONS[permission];
  if (allowed.includes(actor.type)) return;
  if (actor.type === "tool") throw fail("GRANT_FORBIDS", "Connected apps cannot do this. A person can, in the dashboard.", { permission });
  throw fail("INSUFFICIENT_ROLE", "Only the operator of this server can do this, on the command line.", { permission });
}

/** The policy needs to know the workspace, and the actor's present role there. */
export interface MemberRole {
  readonly workspaceId: WorkspaceId;
  /** Read on this request. Null: not a member. Jobs have no role. */
  readonly role: Role | null;
}

/**
 * The one policy. Answers how far the actor reaches, or throws the refusal. Someone outside the workspace, and a tool
 * whose grant does not cover it, are told that nothing is there.
 */
export function reachOf(actor: Actor, permission: Permission, member: MemberRole): Exclude<Reach, "none"> {
  if (actor.type === "system") return "any";
  if (member.role === null) throw outside();
  if (actor.type === "tool") {
    const { workspaces, allowDelete } = actor.grant;
    if (workspaces !== "all" && workspaces !== member.workspaceId) throw outside();
    const may = toolMay(permission);
    if (may === "never") {
      throw fail("GRANT_FORBIDS", "Connected apps cannot do this. A person can, in the dashboard.", {
        permission,
      });
    }
    if (may === "with delete" && !allowDelete) {
      throw fail("GRANT_FORBIDS", "This app is not allowed to delete. Its owner can allow it under Settings, Connected apps.", {
        permission,
      });
    }
  }
  const reach: Reach = PERMISSIONS[permission][member.role];
  if (reach === "none") {
    throw fail("INSUFFICIENT_ROLE", `The role ${member.role} does not allow this. Ask an owner or admin of the workspace.`, {
      permission,
      role: member.role,
    });
  }
  return reach;
}

/** Whether a thing with this owner lies within reach. */
export function isWithinReach(reach: Exclude<Reach, "none">, actor: Actor, thing: { ownerId: UserId | null; published: boolean }): boolean {
  if (reach === "any") return true;
  if (reach === "own or published" && thing.published) return true;
  return actor.type !== "system" && thing.ownerId === actor.userId;
}

const outside = () =>
  fail("NOT_FOUND", "There is no such workspace or website here. It may have been removed, or you may not have access to it.");
