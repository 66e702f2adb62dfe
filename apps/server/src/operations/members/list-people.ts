import { z } from "zod";
import type { UserId } from "#domain/ids";
import { idOf, workspaceOperation } from "../kernel/operation.ts";
import { seesAddressOf } from "./helpers/member-view.ts";

const MOST = 200;

export interface Person {
  readonly userId: UserId;
  readonly name: string;
  /** Null for those who do not need it. */
  readonly email: string | null;
  readonly isMember: boolean;
}

/** Names for the ids that stand in lists, revisions and the activity log. Nobody who has nothing to do with the workspace is named. */
export const listPeople = workspaceOperation({
  name: "list_people",
  summary: "List the names of members of a workspace and, by id, of former members.",
  permission: "workspace.read",
  input: { userIds: z.array(idOf<UserId>("user")).max(MOST).default([]) },
  async run(context, { userIds }): Promise<readonly Person[]> {
    const { services, workspace } = context;
    const { members, activity } = services.platform;
    const present = await members.list(workspace.id);
    const people = present.map(({ userId, name, email }): Person => ({ userId, name, email, isMember: true }));
    const known = new Set(people.map(({ userId }) => userId));
    const others = [...new Set(userIds)].filter((id) => !known.has(id));
    const former = others.length > 0 ? await services.accounts.getMany(await activity.whoActed(workspace.id, others)) : [];
    for (const { id, name, email } of former) people.push({ userId: id, name, email, isMember: false });
    return people.map((person) => ({ ...person, email: seesAddressOf(context, person.userId) ? person.email : null }));
  },
  activity: "none",
});
