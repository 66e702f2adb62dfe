import { execFile } from "node:child_process";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { fieldsModule } from "../src/commands/fields-module.ts";

const field = (key: string, type: string, label = key) => ({
  key,
  type,
  label,
  required: false,
  options: type === "select" ? ["calm", 'wi"ld'] : [],
});

test("the module compiles with the client whatever labels and options say, and types each field", async () => {
  const root = path.resolve(import.meta.dirname, "../../..");
  const folder = await mkdtemp(path.join(tmpdir(), "stet-types-"));
  await symlink(path.join(root, "node_modules"), path.join(folder, "node_modules"));
  await writeFile(path.join(folder, "package.json"), '{ "type": "module" }');
  const fields = [
    field("mood", "select", "*/ evil();\n"),
    field("count", "number"),
    field("day", "date"),
    field("a-b", "boolean"),
    field("raw", "json"),
    field("new", "map"),
  ];
  await writeFile(path.join(folder, "fields.ts"), fieldsModule(fields));
  await writeFile(
    path.join(folder, "use.ts"),
    `import { createClient } from "@stet/client";
     import type { Fields } from "./fields.ts";
     const post = await createClient<Fields>({ apiKey: "k", url: "u" }).posts.findBySlug("a");
     const mood: "calm" | 'wi"ld' | "" | null | undefined = post?.fields.mood;
     const count: number | null | undefined = post?.fields.count;
     const ok: boolean | null | undefined = post?.fields["a-b"];
     // @ts-expect-error there is no such field
     post?.fields.nothing;
     // @ts-expect-error it may be missing
     post?.fields.day.length;
     export const used = [mood, count, ok, post?.fields.raw, post?.fields.new];`,
  );
  const args = [
    "--noEmit",
    "--strict",
    "--target",
    "es2023",
    "--module",
    "nodenext",
    "--allowImportingTsExtensions",
    "--types",
    "node",
    path.join(folder, "use.ts"),
  ];
  const run = promisify(execFile)(process.execPath, [path.join(root, "node_modules/.bin/tsc"), "--ignoreConfig", ...args], { cwd: folder });
  const output = await run.then(
    ({ stdout }) => stdout,
    (error: { stdout: string }) => error.stdout,
  );
  await rm(folder, { recursive: true });
  expect(output).toBe("");
});
