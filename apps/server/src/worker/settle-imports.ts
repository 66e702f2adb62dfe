import { timestamp } from "#domain/time";
import { foldKeyOf } from "#operations/transfer/helpers/import-line";
import type { Services } from "#operations/kernel/services";

const LEASE_SECONDS = 60;

const STOPPED =
  "The service stopped before the import finished, so a few more records may exist than were counted. Import the file again; existing content stays.";

/** An import whose process died: its owner reads of it, and clients that follow the website's changes start again, as after any other. */
export async function settleImports({ platform, clock }: Services): Promise<number> {
  const line = await platform.imports.claimSilent(timestamp(clock()), LEASE_SECONDS);
  if (!line) return 0;
  await platform.events.beginHistory(line.websiteId);
  await platform.activity.append({ ...line, details: { ...line.details, stopped: STOPPED } }, foldKeyOf(line));
  await platform.imports.end(line);
  return 1;
}
