import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { json } from "node:stream/consumers";
import { expect, test, vi } from "vitest";
import { pushPosts } from "../src/posts/push-posts.ts";
import { Report } from "../src/posts/report.ts";

const idOf = (digit: string) => `post_${digit.repeat(26)}`;

test("somebody who saves between the plan and the push keeps their text, and the other posts go on", async () => {
  const server = createServer(async (request, response) => {
    const { params } = (await json(request)) as { params: { arguments: { post: string; expectedVersion: number } } };
    const { post, expectedVersion } = params.arguments;
    const result =
      post === idOf("1")
        ? { isError: true, content: [{ type: "text", text: "VERSION_CONFLICT: Somebody saved version 3." }] }
        : { structuredContent: { post: { id: post, version: expectedVersion + 1, slug: "b" } } };
    response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, result }));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  vi.stubEnv("STET_URL", url);
  vi.stubEnv("STET_TOKEN", "stetci_secret");
  const said = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const folder = await mkdtemp(path.join(tmpdir(), "stet-push-"));
  const texts = ["1", "2"].map((digit) => `---\nid: ${idOf(digit)}\nversion: 2\n---\n\nMine\n`);
  const steps = texts.map((text, at) => ({
    name: `${at + 1}.md`,
    text,
    content: { body: "Mine" },
    post: { id: idOf(`${at + 1}`), version: 2, status: "draft" },
    waitsForReview: false,
  }));
  for (const { name, text } of steps) await writeFile(path.join(folder, name), text);
  const state = { url, website: "site_1", posts: new Map() };
  const report = new Report();
  await pushPosts(folder, state, steps, report);

  expect(report.sum()).toBe("1 conflict, 1 updated");
  expect(said.mock.calls.join("")).toContain("conflict   1.md: Somebody saved version 3. Nothing was overwritten");
  expect(await readFile(path.join(folder, "1.md"), "utf8")).toBe(texts[0]);
  expect(await readFile(path.join(folder, "2.md"), "utf8")).toBe(texts[1]!.replace("version: 2", "version: 3"));
  expect([...state.posts.keys()]).toEqual([idOf("2")]);

  // A file that cannot be written is no refusal of the server: the post was saved, and that is said.
  await rm(path.join(folder, "2.md"));
  await mkdir(path.join(folder, "2.md"));
  await pushPosts(folder, state, steps.slice(1), report);
  expect(said.mock.calls.join("")).toContain("problem    2.md: saved on the server, but the file cannot be written (EISDIR");
  said.mockRestore();
  vi.unstubAllEnvs();
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true });
});
