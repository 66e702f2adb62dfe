import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, expect, test } from "vitest";
import { openMongoContent } from "#adapters/mongodb/open";
import { systemActor, userActor } from "#domain/actor";
import { registry } from "#operations/registry";
import { closedAtEnd } from "#test/closed-at-end";
import { openDashboardNode } from "#test/dashboard-node";
import { mongoJavaServer, testDatabaseName } from "#test/mongodb";
import { oneStore } from "#test/one-store";
import { withPart } from "#test/parts";

const BIN = new URL("../../../../packages/cli/src/bin.ts", import.meta.url).pathname;

/** What `posts-as-files.test.ts` proves at length, once with the content in MongoDB: saves go in steps there. */
withPart("mongo-java-server 1.47", mongoJavaServer.find(), (server) => {
  test("posts in MongoDB are pulled and pushed: nothing changes by itself, an edit is saved, a conflict is shown", async () => {
    const cluster = await server.start();
    afterAll(cluster.stop);
    const content = closedAtEnd(
      await openMongoContent({ url: cluster.url, database: testDatabaseName(), onVisibleChange: async () => {} }),
    );
    const node = closedAtEnd(await openDashboardNode({ pages: false }));
    Object.assign(node.services, { contents: oneStore(content) });
    const password = "correct horse battery";
    const { id: userId } = await node.call(registry.create_account, systemActor("test"), {
      email: "ada@example.com",
      name: "Ada",
      password,
    });
    const actor = userActor(userId);
    const workspace = await node.call(registry.create_workspace, actor, { name: "Garden" });
    const { token } = await node.call(registry.create_ci_credential, actor, { name: "Laptop", workspaces: workspace.id, password });
    const { id: websiteId } = await node.call(registry.create_website, actor, { workspaceId: workspace.id, name: "Blog" });
    for (const title of ["One", "Two", "Three"])
      await node.call(registry.create_post, actor, { websiteId, title, body: `${title}\r\n\nä 😀\n` });
    const { items } = await node.call(registry.list_posts, actor, { websiteId });
    expect((await content.posts.countByStatus(websiteId)).draft).toBe(3);

    const folder = await mkdtemp(path.join(tmpdir(), "stet-posts-"));
    afterAll(() => rm(folder, { recursive: true }));
    const stet = async (...args: string[]) => {
      const env = {
        PATH: process.env.PATH,
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        STET_URL: node.url,
        STET_TOKEN: token,
        HOME: folder,
      };
      const child = spawn(process.execPath, [BIN, ...args], { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
      const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
      return { code: code as number, said: stdout + stderr };
    };
    const file = (name: string) => path.join(folder, "posts", name);
    const edit = async (name: string, words: string) => writeFile(file(name), (await readFile(file(name), "utf8")) + words);

    expect((await stet("pull", "--website", websiteId)).said).toContain("3 new");
    expect(await stet("push", "--yes")).toEqual({ code: 0, said: "posts: 0 to push, 3 unchanged. Nothing was pushed.\n" });
    await edit("one.md", "Mine\n");
    expect(await stet("push", "--yes")).toMatchObject({ code: 0, said: expect.stringContaining("updated    one.md") as string });
    const one = items.find(({ working }) => working.title === "One")!;
    const saved = await node.call(registry.get_post, actor, { websiteId, postId: one.id });
    expect([saved.version, saved.working.body]).toEqual([2, "One\r\n\nä 😀\n\nMine"]);

    await edit("one.md", "More\n");
    await node.call(registry.edit_post, actor, { websiteId, postId: one.id, expectedVersion: 2, body: "Theirs" });
    expect(await stet("push", "--yes")).toMatchObject({ code: 1, said: expect.stringContaining("conflict   one.md") as string });
    expect((await node.call(registry.get_post, actor, { websiteId, postId: one.id })).working.body).toBe("Theirs");
  }, 120_000);
});
