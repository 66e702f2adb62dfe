import { expect, test } from "vitest";
import { newId } from "#domain/ids";
import { DAY, timestamp } from "#domain/time";
import { registry } from "#operations/registry";
import { closedAtEnd } from "#test/closed-at-end";
import { fillWebsite } from "#test/full-website";
import { openTestServices } from "#test/services";
import { oneStore } from "#test/one-store";
import { eraseDeleted } from "./sweeps.ts";

const services = closedAtEnd(await openTestServices());

/** Tables that hold something of one of these websites or workspaces. */
async function tablesWith(ids: readonly string[]): Promise<readonly string[]> {
  const { rows } = await services.database.query<{ table: string; column: string }>({
    text: `SELECT table_name AS "table", column_name AS "column"
           FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
           WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND column_name IN ('website_id', 'workspace_id')`,
  });
  const found = [];
  for (const { table, column } of rows) {
    const { rowCount } = await services.database.query({ text: `SELECT FROM ${table} WHERE ${column} = ANY ($1) LIMIT 1`, values: [ids] });
    if (rowCount) found.push(table);
  }
  return found;
}

test("a deleted workspace leaves no row behind, whichever table", async () => {
  const tenant = await services.makeTenant();
  const here = { websiteId: tenant.website.id };
  const ids = [tenant.workspace.id, tenant.website.id];
  await fillWebsite(services, tenant);
  const { id: keyId } = (await services.call(registry.create_key, tenant.actor, { ...here, name: "Key", monthlyCap: 9 })).record;
  await services.call(registry.create_webhook, tenant.actor, { ...here, url: "https://example.com/hook" });
  const [today, at] = ["2026-11-15", timestamp(services.now)];
  await services.readers.add([{ websiteId: tenant.website.id, postId: newId("post"), at, referrer: "a.example", visitors: ["somebody"] }]);
  const answers = { route: "/blog/posts", statusClass: 2, requests: 1, counted: 1, day: today };
  await services.platform.usage.add([{ workspaceId: tenant.workspace.id, websiteId: tenant.website.id, keyId, ...answers }]);
  await services.platform.usage.recordWarning(tenant.workspace.id, "2026-11", 75);
  await services.call(registry.delete_workspace, tenant.actor, { workspaceId: tenant.workspace.id, confirmName: tenant.workspace.name });
  expect((await tablesWith(ids)).length).toBeGreaterThan(20);
  services.pass(31 * DAY);
  while ((await eraseDeleted(services)) > 0);
  expect(await tablesWith(ids)).toEqual([]);
});

test("a website with very much in it is erased in several runs, the record last", async () => {
  const { actor, website } = await services.makeTenant();
  const content = services.contentOf(website);
  await services.call(registry.create_post, actor, { websiteId: website.id, title: "One of many" });
  await services.call(registry.delete_website, actor, { websiteId: website.id, confirmName: website.name });
  services.pass(31 * DAY);
  let steps = 0;
  const large = { ...content, eraseWebsite: async (id: typeof website.id) => ++steps > 50 && content.eraseWebsite(id, 1_000) };
  const tables: (readonly string[])[] = [];
  while ((await eraseDeleted({ ...services, contents: oneStore(large) })) > 0) tables.push(await tablesWith([website.id]));
  expect(tables.length).toBeGreaterThan(2);
  expect(tables.at(-2)).toContain("posts");
  // The log of its workspace goes on telling of it.
  expect(tables.at(-1)).toEqual(["activity"]);
});
