import { ROLES, type Role } from "@stet/contract";
import { type Permission, PERMISSIONS, type Reach, toolMay } from "#domain/access";
import { workspaceOperation } from "../kernel/operation.ts";

export interface PermissionRow {
  readonly permission: Permission;
  readonly reach: Readonly<Record<Role, Reach>>;
  /** Whether a connected tool of a person with this right has it too. */
  readonly tool: ReturnType<typeof toolMay>;
}

/** The policy's own table, so that what people are told about roles is what is decided. */
export const listRoles = workspaceOperation({
  name: "list_roles",
  summary: "List what each role can do in a workspace, and the most a connected app can do.",
  permission: "workspace.read",
  input: {},
  run: async (): Promise<{ roles: readonly Role[]; permissions: readonly PermissionRow[] }> => ({
    roles: ROLES,
    permissions: (Object.keys(PERMISSIONS) as Permission[]).map((permission) => ({
      permission,
      reach: PERMISSIONS[permission],
      tool: toolMay(permission),
    })),
  }),
  activity: "none",
});
