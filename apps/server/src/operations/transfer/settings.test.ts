import { beforeAll, expect, test } from "vitest";
import type { Website } from "#domain/website";
import { exportWebsite } from "#operations/transfer/export-website";
import { importWebsite } from "#operations/transfer/import-website";
import { updateWebsite } from "#operations/websites/update-website";
import { closedAtEnd } from "#test/closed-at-end";
import { openTestServices, type Tenant } from "#test/services";

const services = closedAtEnd(await openTestServices());
let lines: string[];
let source: Tenant;

const SETTINGS = {
  publicUrl: "https://example.com/blog",
  previewUrl: "https://example.com/preview",
  title: "The Loaf",
  description: "Bread, slowly.",
  language: "pt-BR",
  timeZone: "Europe/Lisbon",
  styleGuide: "Short sentences.",
  holdToolChanges: true,
};

async function set(tenant: Tenant, settings: Partial<typeof SETTINGS>): Promise<void> {
  const { version } = (await services.platform.websites.get(tenant.website.id))!;
  await services.call(updateWebsite, tenant.actor, { websiteId: tenant.website.id, expectedVersion: version, settings });
}

beforeAll(async () => {
  source = await services.makeTenant();
  await set(source, SETTINGS);
  lines = [];
  const { lines: exported } = await services.call(exportWebsite, source.actor, { websiteId: source.website.id });
  for await (const line of exported) lines.push(line);
});

async function run(tenant: Tenant, given = lines) {
  async function* pieces() {
    yield* given;
  }
  return services.call(importWebsite, tenant.actor, { websiteId: tenant.website.id, source: pieces() });
}
const stored = async ({ website }: Tenant): Promise<Website> => (await services.platform.websites.get(website.id))!;

test("a website that is new takes the settings of the export, but not where previews of drafts go", async () => {
  const tenant = await services.makeTenant();
  const { settingsTaken, settingsKept } = await run(tenant);
  const { name, settings } = await stored(tenant);
  expect(settings).toEqual({ ...SETTINGS, previewUrl: null });
  expect(name).toBe(tenant.website.name);
  expect(settingsTaken).toEqual(["publicUrl", "title", "description", "language", "timeZone", "styleGuide", "holdToolChanges"]);
  expect(settingsKept).toEqual(["previewUrl"]);
  const [line] = (await services.platform.activity.list(tenant.workspace.id, { action: "import_website", after: null, limit: 1 })).rows;
  expect(line?.details).toMatchObject({ settings: settingsTaken });
});

test("what somebody has set stays, and is named", async () => {
  const tenant = await services.makeTenant();
  const mine = { publicUrl: "https://mine.example", language: "de", holdToolChanges: false, description: SETTINGS.description };
  await set(tenant, mine);
  const { settingsTaken, settingsKept } = await run(tenant);
  expect((await stored(tenant)).settings).toMatchObject({ ...mine, holdToolChanges: true, timeZone: "Europe/Lisbon", title: "The Loaf" });
  expect(settingsTaken).toEqual(["title", "timeZone", "styleGuide", "holdToolChanges"]);
  expect(settingsKept).toEqual(["publicUrl", "previewUrl", "language"]);
  await set(tenant, { title: "Mine", holdToolChanges: true });
  expect(await run(tenant)).toMatchObject({ settingsTaken: [], settingsKept: ["publicUrl", "previewUrl", "title", "language"] });
});

test("an export with nothing set changes nothing, and hold is never switched off", async () => {
  const plain = await services.makeTenant();
  const exported: string[] = [];
  for await (const line of (await services.call(exportWebsite, plain.actor, { websiteId: plain.website.id })).lines) exported.push(line);
  const before = await stored(source);
  expect(await run(source, exported)).toMatchObject({ settingsTaken: [] });
  expect(await stored(source)).toEqual(before);
});

test.each([
  ["an address that runs a script", { publicUrl: "javascript:alert(1)" }],
  ["a language that is none", { language: "no language" }],
  ["a setting that does not exist", { isAdmin: true }],
  ["a description of the wrong type", { description: { html: "<script>" } }],
])("%s is refused with the number of the line, and nothing is changed", async (_, change) => {
  const tenant = await services.makeTenant();
  const manifest = JSON.parse(lines[0]!) as { website: { settings: object } };
  const first = JSON.stringify({ ...manifest, website: { ...manifest.website, settings: { ...SETTINGS, ...change } } });
  await expect(run(tenant, [`${first}\n`, ...lines.slice(1)])).rejects.toMatchObject({ message: expect.stringContaining("Line 1") });
  expect((await stored(tenant)).settings).toEqual(tenant.website.settings);
});
