import { z } from "zod";
import { fail } from "#domain/failure";
import { websiteOperation } from "../kernel/operation.ts";
import { requireTypedName, typedName } from "../kernel/require-typed-name.ts";
import { homeNow, requireDatabase } from "./helpers/require.ts";
import { returnToCopy } from "./helpers/return-to-copy.ts";
import { type OwnDatabaseView, viewDatabase } from "./helpers/view.ts";

/**
 * Copies the content back and then leaves the database, whatever the plan has room for. Nothing is deleted there. Without the database the
 * website returns at once to the copy that stayed with the install when it moved.
 */
export const disconnectOwnDatabase = websiteOperation({
  name: "disconnect_own_database",
  summary: "Disconnect the database of a website; its content is copied back first. Nothing is deleted in it.",
  permission: "store.manage",
  input: { withoutCopying: z.boolean().default(false), confirmName: typedName.optional() },
  async run(context, { withoutCopying, confirmName = "" }): Promise<OwnDatabaseView> {
    const { services, website, workspace, role, actor, now } = context;
    if (withoutCopying) {
      if (role !== "owner" && actor.type !== "system")
        throw fail(
          "INSUFFICIENT_ROLE",
          "Only the owner of the workspace can disconnect without copying, because content will be missing. Ask the owner.",
          {
            permission: "store.manage",
            role,
          },
        );
      requireTypedName(confirmName, website.name);
    }
    await services.platform.locked(workspace.id, async (platform) => {
      // The notice of one that was left goes with it.
      if (!(await platform.ownDatabases.get(website.id)) && (await platform.ownDatabases.getLeft(website.id)))
        return platform.ownDatabases.forgetLeft(website.id);
      await requireDatabase(platform, context);
      const { home } = await homeNow(platform, context);
      if (home.kind === "own" && !withoutCopying) return platform.moves.start(website.id, "content", "back", now);
      for (const subject of ["content", "left content"] as const) await platform.moves.stop(website.id, subject);
      if (home.kind === "managed") await platform.ownDatabases.remove(website.id);
    });
    if (withoutCopying) await returnToCopy(context);
    if (!(await services.platform.ownDatabases.get(website.id))) services.ownDatabases.forget(website.id);
    return viewDatabase(services, website.id);
  },
  changes: "access",
  activity: ({ website }, { withoutCopying }, { home }) => ({
    target: { id: website.id, label: website.name },
    details: { withoutCopying, home },
  }),
});
