import { MongoClient } from "mongodb";
import { databaseOf } from "#adapters/mongodb/open";
import type { Config } from "../config.ts";
import { type Finding, good, problem } from "./finding.ts";
import { imageFindings } from "./images.ts";

/** Asks the cluster for a sign of life; opening it as the service does would create its indexes. */
export async function checkContent({ contentUrl }: Pick<Config, "contentUrl">): Promise<readonly Finding[]> {
  if (!contentUrl) return [];
  let client: MongoClient | null = null;
  try {
    client = new MongoClient(contentUrl, { serverSelectionTimeoutMS: 5_000, appName: "stet doctor" });
    const database = client.db(databaseOf({ url: contentUrl }));
    await database.command({ ping: 1 });
    const media = database.collection("media");
    const count = (metadata: unknown) => media.countDocuments({ metadata, gone: { $exists: false } });
    const counts = { unchecked: await count({ $in: [null, "unchecked"] }), unreadable: await count("unreadable") };
    return [good("Content store: the cluster at CONTENT_URL responds."), ...imageFindings(counts)];
  } catch (error) {
    const reason = (error as Error).message.replaceAll(contentUrl, "CONTENT_URL");
    return [
      problem(`Content store: the cluster at CONTENT_URL does not respond (${reason}). Check the address, the password and the network.`),
    ];
  } finally {
    await client?.close();
  }
}
