import { describe, expect, test } from "vitest";
import { openMongoContent } from "#adapters/mongodb/open";
import { renderMarkdown } from "#domain/markdown/render";
import type { Website } from "#domain/website";
import { fillWebsite } from "#test/full-website";
import { mongoJavaServer, testDatabaseName } from "#test/mongodb";
import { withPart } from "#test/parts";
import { openTestServices } from "#test/services";
import { execute } from "../kernel/execute.ts";
import type { Services } from "../kernel/services.ts";
import { createWebsite } from "../websites/create-website.ts";
import { exportWebsite } from "./export-website.ts";
import { importWebsite } from "./import-website.ts";

withPart("mongo-java-server 1.47", mongoJavaServer.find(), (server) => {
  describe("export and import across engines", () => {
    test("PostgreSQL to MongoDB and back holds the same lines", async () => {
      const base = await openTestServices({ render: async (markdown) => renderMarkdown(markdown) });
      const { url, stop } = await server.start();
      const mongo = await openMongoContent({ url, database: testDatabaseName(), onVisibleChange: async () => {} });
      const inMongo = new Set<string>();
      const { managed } = base.contents;
      const services: Services = {
        ...base,
        contents: { managed, asMover: null, withContent: ({ id }, work) => work(inMongo.has(id) ? mongo : managed) },
      };

      const tenant = await base.makeTenant();
      await fillWebsite(base, tenant);
      const make = (name: string) => execute(services, createWebsite, tenant.actor, { workspaceId: tenant.workspace.id, name });
      const [there, back] = [await make("There"), await make("Back")];
      inMongo.add(there.id);

      const lines = async ({ id }: Website) => {
        const all: string[] = [];
        for await (const line of (await execute(services, exportWebsite, tenant.actor, { websiteId: id })).lines) all.push(line);
        return all;
      };
      const copy = async (from: Website, to: Website) => {
        const { lines: source } = await execute(services, exportWebsite, tenant.actor, { websiteId: from.id });
        return execute(services, importWebsite, tenant.actor, { websiteId: to.id, source });
      };
      expect((await copy(tenant.website, there)).conflicts).toEqual([]);
      expect((await copy(there, back)).conflicts).toEqual([]);
      expect((await copy(tenant.website, there)).imported.post).toBe(0);
      const original = (await lines(tenant.website)).slice(1, -1);
      expect((await lines(there)).slice(1, -1)).toEqual(original);
      expect((await lines(back)).slice(1, -1)).toEqual(original);

      await mongo.close();
      await stop();
      await base.close();
    }, 120_000);
  });
});
