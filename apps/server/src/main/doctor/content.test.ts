import { MongoClient } from "mongodb";
import { afterAll, expect, test } from "vitest";
import { mongoJavaServer } from "#test/mongodb";
import { withPart } from "#test/parts";
import { checkContent } from "./content.ts";

withPart("mongo-java-server 1.47", mongoJavaServer.find(), async (server) => {
  const { url, stop } = await server.start();
  afterAll(stop);

  test("the doctor looks where the service keeps content, also where the address names no database", async () => {
    const client = new MongoClient(url);
    const media = client.db("stet").collection("media");
    await media.insertOne({ metadata: "unreadable" });
    const { origin } = new URL(url.replace("mongodb:", "http:"));
    const findings = await checkContent({ contentUrl: origin.replace("http:", "mongodb:") });
    await media.drop();
    await client.close();
    expect(findings).toContainEqual({ verdict: "warning", message: expect.stringContaining("the metadata of 1 cannot be removed") });
  });
});
