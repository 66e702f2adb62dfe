import { fail } from "#domain/failure";
import type { Move } from "#domain/move";
import { websiteOperation } from "../kernel/operation.ts";
import { type ContentReport, contentPosition } from "./helpers/position.ts";

export interface ContentMoveReport extends Pick<Move, "direction" | "state" | "startedAt" | "changedAt" | "error"> {
  readonly website: { readonly id: string; readonly name: string };
  /** Hosts and name of the database; null once it is disconnected. */
  readonly database: string | null;
  readonly report: ContentReport | null;
}

export const getContentMoveReport = websiteOperation({
  name: "get_content_move_report",
  summary: "Report on the last move of a website's content: counts and checksums of each kind of record, and how long the pause was.",
  permission: "store.manage",
  input: {},
  async run({ services, website }): Promise<ContentMoveReport> {
    const move = await services.platform.moves.get(website.id, "content");
    if (!move) throw fail("INVALID_TRANSITION", "No content of this website was ever moved.");
    const database = await services.platform.ownDatabases.get(website.id);
    const { direction, state, startedAt, changedAt, error, position } = move;
    const { report } = contentPosition(position);
    const { id, name } = website;
    return { website: { id, name }, database: database?.shown ?? null, direction, state, startedAt, changedAt, error, report };
  },
  activity: "none",
});
