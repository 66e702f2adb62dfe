import type { HomedWebsite } from "#domain/content-home";
import type { ContentMarker } from "#domain/content-marker";
import { databaseSealContextOf, type OwnDatabase } from "#domain/own-database";
import type { Seals } from "#ports/keyring";
import type { OwnDatabaseConnection } from "#ports/own-databases";
import type { Services } from "../../kernel/services.ts";

/** Null: the secret that sealed it is lost. */
export function connectionOf(seals: Seals, { websiteId, connection }: OwnDatabase): OwnDatabaseConnection | null {
  const text = connection === "" ? null : seals.open("credentials", databaseSealContextOf(websiteId), connection);
  return text === null ? null : (JSON.parse(text) as OwnDatabaseConnection);
}

export const sealConnection = (seals: Seals, websiteId: OwnDatabase["websiteId"], { url, ca }: OwnDatabaseConnection): string =>
  seals.seal("credentials", databaseSealContextOf(websiteId), JSON.stringify({ url, ca }));

/** What we write into the database of this website. */
export async function markerOf(
  { platform, settings, ownDatabases }: Pick<Services, "platform" | "settings" | "ownDatabases">,
  { id, home }: HomedWebsite,
): Promise<ContentMarker> {
  const installId = await platform.ownDatabases.installId();
  return { installId, publicUrl: settings.publicUrl, websiteId: id, epoch: home.epoch, schemaVersion: ownDatabases.schemaVersion };
}
