import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, expect, test } from "vitest";

/** The package as somebody installs it: the tarball, in a project of its own. */
const ROOT = path.resolve(import.meta.dirname, "..");
const run = promisify(execFile);
const node = (args: readonly string[], cwd: string) => run(process.execPath, args, { cwd }).then(({ stdout }) => stdout.trim());
const project = mkdtempSync(path.join(tmpdir(), "stet-consumer-"));
let tarball: Buffer;

beforeAll(async () => {
  const file = (await node([path.join(ROOT, "tools/pack.ts"), path.join(project, "tarballs")], ROOT)).split("\n").at(-1)!;
  tarball = readFileSync(file);
  const modules = path.join(project, "node_modules");
  await mkdir(path.join(modules, "@stet/client"), { recursive: true });
  await run("tar", ["xzf", file, "--strip-components=1", "-C", path.join(modules, "@stet/client")]);
  await mkdir(path.join(modules, "@types"));
  for (const name of ["react", "@types/react", "@types/node", "csstype", "undici-types"]) {
    await symlink(path.join(ROOT, "node_modules", name), path.join(modules, name));
  }
  await writeFile(path.join(project, "package.json"), '{ "type": "module" }');
}, 120_000);
afterAll(() => rm(project, { recursive: true, force: true }));

test("the tarball holds what it should, under the version of the repository", async () => {
  const { stdout } = await run("tar", ["tzf", path.join(project, "tarballs", `stet-client-${versionOf("package.json")}.tgz`)]);
  const files = stdout.trim().split("\n");
  for (const name of ["README.md", "LICENSE", "CHANGELOG.md", "dist/index.js", "dist/cjs/index.js", "dist/cjs/next.d.ts"]) {
    expect(files).toContain(`package/${name}`);
  }
  expect(files.filter((file) => /test|src\/|tsconfig|\.ts$/.test(file) && !file.endsWith(".d.ts"))).toEqual([]);
  expect(readFileSync(path.join(ROOT, "packages/client/CHANGELOG.md"), "utf8")).toContain(`## ${versionOf("package.json")}`);
});

function versionOf(file: string): string {
  return (JSON.parse(readFileSync(path.join(ROOT, file), "utf8")) as { version: string }).version;
}

test("publint and attw find nothing wrong with it, in every way to resolve it", async () => {
  const bytes = new Uint8Array(tarball);
  const { messages } = await publint({ pack: { tarball: bytes.buffer } });
  expect(messages).toEqual([]);
  const analysis = await checkPackage(createPackageFromTarballData(bytes));
  expect(analysis.types && analysis.problems).toEqual([]);
});

const USE = `
  const client = createClient({ apiKey: "stet_key", url: "http://127.0.0.1:9", retries: 0 });
  client.posts.list().catch((error) => console.log(StetError.is(error), error.code, typeof syncPosts, typeof trackView, typeof StetView, typeof createWebhookHandler, typeof stetLoader));
`;
const ENTRIES: readonly (readonly [string, string])[] = [
  ["createClient, StetError", "@stet/client"],
  ["syncPosts", "@stet/client/sync"],
  ["trackView", "@stet/client/views"],
  ["StetView", "@stet/client/react"],
  ["createWebhookHandler", "@stet/client/next"],
  ["stetLoader", "@stet/client/astro"],
];

test("it is imported and required, and each copy knows the errors of the other", async () => {
  const told = "true NETWORK_ERROR function function function function function";
  const imports = ENTRIES.map(([names, entry]) => `import { ${names} } from "${entry}";`).join("\n");
  await writeFile(path.join(project, "a.mjs"), imports + USE);
  expect(await node(["a.mjs"], project)).toBe(told);
  await writeFile(
    path.join(project, "b.cjs"),
    ENTRIES.map(([names, entry]) => `const { ${names} } = require("${entry}");`).join("\n") + USE,
  );
  expect(await node(["b.cjs"], project)).toBe(told);
  await writeFile(
    path.join(project, "c.mjs"),
    `import { StetError } from "@stet/client"; import { createRequire } from "node:module";
     const other = createRequire(import.meta.url)("@stet/client");
     const error = new other.StetError("x", { code: "NOT_FOUND" });
     console.log(error instanceof StetError, StetError.is(error));`,
  );
  expect(await node(["c.mjs"], project)).toBe("false true");
});

const TYPED = `
  import { createClient, StetError, verifyWebhook, type Post, type WebhookEvent } from "@stet/client";
  import { stetLoader } from "@stet/client/astro";
  import { createPreviewHandler, createWebhookHandler, nextRedirects } from "@stet/client/next";
  import { StetView } from "@stet/client/react";
  import { syncPosts } from "@stet/client/sync";
  import { trackView } from "@stet/client/views";

  export const client = createClient<{ mood: "calm" | "wild" }>({ apiKey: "k", url: "u", cache: new Map() });
  // As \`process.env\` has them.
  declare const unset: string | undefined;
  export const fromEnvironment = () => [createClient({ apiKey: unset, url: unset }), createWebhookHandler({ secret: unset, revalidateTag: (tag: string) => tag })];
  export async function use(): Promise<string> {
    const post: Post<{ mood: "calm" | "wild" }> | null = await client.posts.findBySlug("a", { format: "html" }, { fetchOptions: { next: { revalidate: 1 } } });
    const mood: "calm" | "wild" | undefined = post?.fields.mood;
    for await (const { title, url } of client.posts.all({ sort: "-updatedAt" })) console.log(title.length, url?.length);
    // @ts-expect-error a list has no body
    (await client.posts.list()).items[0]?.body;
    // @ts-expect-error there is no such sort
    await client.posts.list({ sort: "popular" });
    // @ts-expect-error there is no such parameter
    await client.posts.list({ page: 2 });
    const event: WebhookEvent = await verifyWebhook({ body: "", signature: null }, { secret: ["a"] });
    await syncPosts(client, { cursor: null, onPost: (each) => each.fields.mood, onRemoved: (id) => id });
    const handlers = [createWebhookHandler({ secret: "s", revalidateTag: (tag: string) => tag }), stetLoader(client).name, nextRedirects(client), trackView, StetView, createPreviewHandler];
    try { return String(mood) + event.type + handlers.length; } catch (error) { return StetError.is(error) ? String(error.code) + error.status : ""; }
  }
`;

const LONG = process.env["STET_SOAK"] === "1";
const COMPILERS: readonly (readonly [string, string])[] = [
  ["TypeScript 7", "node_modules/.bin/tsc"],
  ...(LONG ? [["TypeScript 5.9", path.join(project, "older/node_modules/typescript/bin/tsc")] as const] : []),
];

test.each(COMPILERS)(
  "%s takes it in strict mode, as node16 (both kinds of module) and for a bundler",
  async (_name, compiler) => {
    if (compiler.startsWith(project)) {
      await run("npm", ["install", "--silent", "--prefix", path.join(project, "older"), "typescript@5.9"], { cwd: project });
    }
    for (const file of ["typed.mts", "typed.cts", "typed.ts"]) await writeFile(path.join(project, file), TYPED);
    const strict = ["--noEmit", "--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess", "--target", "es2022"];
    for (const args of [
      ["--module", "node16", "--lib", "es2022", "--types", "node", "typed.mts", "typed.cts"],
      ["--module", "esnext", "--moduleResolution", "bundler", "--lib", "es2022,dom,dom.iterable", "--types", "react", "typed.ts"],
    ]) {
      const output = await node([path.resolve(ROOT, compiler), ...strict, ...args], project).catch(
        (error: { stdout: string }) => error.stdout,
      );
      expect(output).toBe("");
    }
  },
  300_000,
);

test.each([
  ['export { createClient } from "@stet/client"', 4 * 1024],
  ['export { verifyWebhook } from "@stet/client"', 1_600],
  ['export { trackView } from "@stet/client/views"', 1_024],
  ['export { StetView } from "@stet/client/react"', 1_100],
])("%s costs a page at most %i bytes, because what is not used is left out", async (source, most) => {
  await writeFile(path.join(project, "page.mjs"), source);
  const bundle = await rolldown({ input: path.join(project, "page.mjs"), platform: "browser", external: ["react"], onLog: () => {} });
  const { output } = await bundle.generate({ format: "es", minify: true });
  await bundle.close();
  expect(gzipSync(output[0].code, { level: 9 }).length).toBeLessThanOrEqual(most);
  expect(output[0].imports.filter((name) => name !== "react")).toEqual([]);
});

test("React's directive stands first in both copies", () => {
  for (const file of ["dist/react.js", "dist/cjs/react.js"]) {
    expect(readFileSync(path.join(project, "node_modules/@stet/client", file), "utf8")).toMatch(/^"use client";/);
  }
});

if (LONG) {
  test("Vite bundles it, and React 18 and 19 render it on a server", async () => {
    await writeFile(path.join(project, "page.mjs"), 'import { createClient } from "@stet/client"; globalThis.client = createClient;');
    await writeFile(path.join(project, "index.html"), '<script type="module" src="/page.mjs"></script>');
    expect(await node([path.join(ROOT, "node_modules/.bin/vite"), "build", project, "--logLevel", "error"], project)).toBe("");
    for (const version of ["18", "19"]) {
      const folder = path.join(project, `react-${version}`);
      await mkdir(folder);
      await writeFile(path.join(folder, "package.json"), '{ "type": "module" }');
      await run("npm", ["install", "--silent", `react@${version}`, `react-dom@${version}`], { cwd: folder });
      await symlink(path.join(project, "node_modules/@stet"), path.join(folder, "node_modules/@stet"));
      await writeFile(
        path.join(folder, "page.mjs"),
        `import { createElement, version } from "react"; import { renderToString } from "react-dom/server"; import { StetView } from "@stet/client/react";
         console.log(version.split(".")[0], JSON.stringify(renderToString(createElement(StetView, { website: "site_1", post: "a" }))));`,
      );
      expect(await node(["--preserve-symlinks", "page.mjs"], folder)).toBe(`${version} ""`);
    }
  }, 300_000);
}
