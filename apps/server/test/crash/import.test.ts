import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test, vi } from "vitest";
import { MINUTE } from "#domain/time";
import { registry } from "#operations/registry";
import { openTestDatabase } from "#test/postgres";
import { openTestServices } from "#test/services";
import { settleImports } from "#worker/settle-imports";

const CLI = path.resolve(import.meta.dirname, "../../src/main/cli.ts");
const POSTS = 12;

test("an import that is killed is written down by another node, and run again it adds the rest", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "stet-import-"));
  const database = await openTestDatabase();
  const services = await openTestServices({}, database);
  services.now = new Date();
  const { actor, workspace, website: source } = await services.makeTenant();
  for (let i = 1; i <= POSTS; i++) {
    const post = await services.call(registry.create_post, actor, { websiteId: source.id, title: `Post ${i}`, body: "Text." });
    await services.call(registry.publish_post, actor, { websiteId: source.id, postId: post.id, expectedVersion: post.version });
  }
  const lines = await exported(source.id);
  const { id: websiteId } = await services.call(registry.create_website, actor, { workspaceId: workspace.id, name: "Copy" });
  const content = services.contentOf({ id: websiteId });
  const published = async () => (await content.posts.countByStatus(websiteId)).published;

  async function exported(id: string): Promise<string[]> {
    const all: string[] = [];
    for await (const line of (await services.call(registry.export_website, actor, { websiteId: id })).lines) all.push(line);
    return all;
  }
  const importLines = async () =>
    (await services.platform.activity.list(workspace.id, { websiteId, action: "import_website", after: null, limit: 10 })).rows;

  const child: ChildProcess = spawn(process.execPath, [CLI, "import", websiteId, "-"], {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, STET_DATA: folder, DATABASE_URL: database.url },
    stdio: ["pipe", "ignore", "inherit"],
  });
  // The rest never arrives, so it is surely killed on its way.
  child.stdin!.write(lines.slice(0, -5).join(""));
  await vi.waitFor(async () => expect(await published()).toBeGreaterThan(POSTS / 2), { timeout: 60_000, interval: 50 });
  child.kill("SIGKILL");
  await once(child, "close");

  services.now = new Date();
  expect(await settleImports(services)).toBe(0);
  expect(await importLines()).toEqual([]);
  const history = await services.platform.events.history(websiteId);
  services.pass(2 * MINUTE);
  expect(await settleImports(services)).toBe(1);
  expect(await settleImports(services)).toBe(0);
  expect(await importLines()).toMatchObject([
    {
      actor: { type: "system", id: "stet import" },
      target: { id: websiteId, label: "Copy" },
      details: { stopped: expect.stringContaining("Import the file again") },
    },
  ]);
  // Whoever followed the changes while it ran has not seen what came after.
  expect(await services.platform.events.history(websiteId)).toBe(history + 1);

  const again = await services.call(registry.import_website, actor, { websiteId, source: textOf(lines) });
  expect(again).toMatchObject({ conflictCount: 0 });
  expect(again.imported.post + again.skipped.post).toBe(POSTS);
  expect((await exported(websiteId)).slice(1, -1)).toEqual(lines.slice(1, -1));
  expect(await importLines()).toHaveLength(2);
  expect(await settleImports(services)).toBe(0);
  await services.close();
  await rm(folder, { recursive: true, force: true });
}, 120_000);

async function* textOf(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}
