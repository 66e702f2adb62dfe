import { newId } from "#domain/ids";
import type { JsonObject } from "#domain/json";
import { millis, MINUTE, SECOND, timestamp } from "#domain/time";
import type { ImportLine } from "#ports/platform";
import type { InWebsite } from "../../kernel/operation.ts";
import type { Report } from "./report.ts";

/** How often an import says that it is under way, and how far it has come. */
const EVERY_MILLIS = 5 * SECOND;
/** An import that reports nothing for so long has died. */
const SILENCE_MILLIS = MINUTE;

/** Each import has one line in the activity log, which every node writes under the same key. */
export const foldKeyOf = ({ id }: Pick<ImportLine, "id">): string => `import_website:${id}`;

/**
 * The line of the activity log about an import. What was imported stays when the process dies, so the line is kept ready beside it
 * until it is written: the sweep (`worker/settle-imports.ts`) writes down those that nobody speaks for any more.
 */
export async function startImportLine({ services, workspace, website, by, now }: InWebsite, action: string, report: Report) {
  const { platform, activityLines, clock, onTrouble } = services;
  const id = newId("activity", millis(now));
  const line = (more: JsonObject = {}): ImportLine => {
    const { imported, conflictCount, settingsTaken } = report.result();
    const settings = settingsTaken.length > 0 ? { settings: settingsTaken } : {};
    return {
      id,
      workspaceId: workspace.id,
      websiteId: website.id,
      at: now,
      actor: by,
      action,
      target: { id: website.id, label: website.name },
      details: { posts: imported.post, terms: imported.term, media: imported.media, conflicts: conflictCount, ...settings, ...more },
      count: 1,
    };
  };
  const keep = () => platform.imports.keep(line(), timestamp(clock().getTime() + SILENCE_MILLIS));
  await keep();
  let kept = Promise.resolve();
  const timer = setInterval(() => {
    kept = keep().catch((error: unknown) => onTrouble("An import could not say how far it has come", error));
  }, EVERY_MILLIS);

  return {
    write: (more?: JsonObject): Promise<void> => activityLines.write({ entry: line(more), foldKey: foldKeyOf({ id }) }),
    /** It is over, and written down if there is anything to write. */
    async end(): Promise<void> {
      clearInterval(timer);
      // Else the one under way would bring it back.
      await kept;
      await platform.imports
        .end(line())
        .catch((error: unknown) => onTrouble("An import that ended is still kept as running; the sweep settles it", error));
    },
  };
}
