import { mkdtemp, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildDashboard } from "./dashboard-build.ts";

let root: string;
let app: string;
beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), "stet-build-"));
  app = path.join(root, "apps/dashboard");
  await mkdir(path.join(app, "src"), { recursive: true });
  await writeFile(path.join(app, "index.html"), `<!doctype html><script type="module" src="/src/main.js"></script>`);
  await writeFile(path.join(app, "src/main.js"), `document.title = "first";`);
});
afterAll(() => rm(root, { recursive: true, force: true }));

const built = async (): Promise<string> => {
  const [script = ""] = (await readdir(path.join(app, "dist/assets"))).filter((name) => name.endsWith(".js"));
  return readFile(path.join(app, "dist/assets", script), "utf8");
};

test("of several that ask at once one builds; then nothing is built until a source changes", async () => {
  const said: string[] = [];
  const say = (message: string) => void said.push(message);
  // Left by a process that died while it was building: no process has this number.
  await mkdir(path.join(root, ".cache"));
  await writeFile(path.join(root, ".cache/dashboard-build.lock"), "4194999");
  await Promise.all([buildDashboard(say, root), buildDashboard(say, root), buildDashboard(say, root)]);
  expect(said.filter((line) => line.startsWith("Building"))).toHaveLength(1);
  expect(await built()).toContain("first");
  const { ino } = await stat(path.join(app, "dist"));
  await buildDashboard(say, root);
  expect((await stat(path.join(app, "dist"))).ino).toBe(ino);
  await writeFile(path.join(app, "src/main.js"), `document.title = "second";`);
  await buildDashboard(say, root);
  expect(await built()).toContain("second");
  expect(await readdir(path.join(root, ".cache"))).toEqual([]);
});

test("a build that fails says why and leaves the one before", async () => {
  await writeFile(path.join(app, "src/main.js"), `import "./missing.js";`);
  await expect(buildDashboard(() => {}, root)).rejects.toThrow(/could not be built:[\s\S]*missing\.js/);
  expect(await built()).toContain("second");
  expect(await readdir(path.join(root, ".cache"))).toEqual([]);
});

test("where there are no sources there is nothing to build", async () => {
  await buildDashboard(
    () => {
      throw new Error("nothing is built");
    },
    path.join(root, "elsewhere"),
  );
});
