import { fail } from "#domain/failure";
import { websiteOperation } from "../kernel/operation.ts";
import { type OwnDatabaseView, viewDatabase } from "./helpers/view.ts";

/** The content stays where it is: until the moment of the switch that is where it was. */
export const stopContentMove = websiteOperation({
  name: "stop_content_move",
  summary: "Stop moving the content of a website. It stays where it is; moving can go on later.",
  permission: "store.manage",
  input: {},
  async run({ services, website, workspace }): Promise<OwnDatabaseView> {
    await services.platform.locked(workspace.id, async (platform) => {
      const isStopped = [await platform.moves.stop(website.id, "content"), await platform.moves.stop(website.id, "left content")];
      if (!isStopped.includes(true)) throw fail("INVALID_TRANSITION", "No content is being moved.");
      await platform.ownDatabases.setSwitches(website.id, false);
    });
    return viewDatabase(services, website.id);
  },
  changes: "nothing",
  activity: ({ website }, _, { home }) => ({ target: { id: website.id, label: website.name }, details: { home } }),
});
