import type { Db } from "mongodb";
import { z } from "zod";
import type { ContentMarker } from "#domain/content-marker";
import { isId, type WebsiteId } from "#domain/ids";

/** A collection of its own, so that no list of content meets it. */
const COLLECTION = "stet";
const MARKER_ID = "marker";

const count = z.int().nonnegative().max(2_147_483_647);
const stored = z.object({
  installId: z.string().min(1).max(200),
  publicUrl: z.string().min(1).max(2_048),
  websiteId: z.custom<WebsiteId>((value) => typeof value === "string" && isId("website", value)),
  epoch: count,
  schemaVersion: count,
});

const markers = (database: Db) => database.collection<{ _id: string }>(COLLECTION);

export async function readMarker(database: Db): Promise<ContentMarker | "unreadable" | null> {
  const found = await markers(database).findOne({ _id: MARKER_ID });
  if (!found) return null;
  const parsed = stored.safeParse(found);
  return parsed.success ? parsed.data : "unreadable";
}

export async function writeMarker(database: Db, { installId, publicUrl, websiteId, epoch, schemaVersion }: ContentMarker): Promise<void> {
  const marker = { installId, publicUrl, websiteId, epoch, schemaVersion, about: "Written by Stet. Do not change or remove it." };
  await markers(database).replaceOne({ _id: MARKER_ID }, marker, { upsert: true });
}
