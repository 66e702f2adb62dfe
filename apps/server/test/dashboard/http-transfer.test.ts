import { connect } from "node:net";
import { POST_STATUSES } from "@stet/contract";
import { expect, onTestFinished, test, vi } from "vitest";
import { fail } from "#domain/failure";
import { closedAtEnd } from "#test/closed-at-end";
import { openDashboardNode } from "#test/dashboard-node";
import { problemOf } from "#test/delivery-node";

const node = closedAtEnd(await openDashboardNode({ pages: false }));
const tenant = await node.makeTenant();
const cookie = await node.signIn(tenant.owner);
await node.rpc(cookie, "seed_website", { websiteId: tenant.website.id, posts: 30 });

const linesOf = async (response: Response) =>
  (await response.text())
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
const importInto = (websiteId: string, who: string, body: string) =>
  node.fetch(`/api/websites/${websiteId}/import`, {
    method: "POST",
    cookie: who,
    headers: { "Content-Type": "application/x-ndjson" },
    body,
  });

test("an export is a download of lines, and imports again to the same content, telling how far it is", async () => {
  const answer = await node.fetch(`/api/websites/${tenant.website.id}/export`, { cookie });
  expect(answer.status).toBe(200);
  expect(answer.headers.get("Content-Type")).toBe("application/x-ndjson");
  expect(answer.headers.get("Content-Disposition")).toMatch(
    new RegExp(`^attachment; filename="${tenant.website.name} \\d{4}-\\d\\d-\\d\\d\\.ndjson"; filename\\*=`),
  );
  const text = await answer.text();
  const other = await node.makeTenant();
  const theirs = await node.signIn(other.owner);
  const progress = await linesOf(await importInto(other.website.id, theirs, text));
  expect(progress.at(-1)).toMatchObject({ result: { imported: { post: 30 }, conflictCount: 0 } });
  const told = progress.slice(0, -1) as { done: number; bytes: number }[];
  expect(told.map(({ done }) => done)).toContain(100);
  expect(told).toEqual(told.toSorted((one, other) => one.done - other.done || one.bytes - other.bytes));
  expect(told.at(-1)!.bytes).toBeLessThanOrEqual(Buffer.byteLength(text));
});

test("the file is called as the website is, with what no file system takes left out", async () => {
  const { owner, website } = await node.makeTenant();
  const theirs = await node.signIn(owner);
  const { version } = await node.rpc(theirs, "get_website", { websiteId: website.id });
  await node.rpc(theirs, "update_website", {
    websiteId: website.id,
    expectedVersion: version,
    name: 'Über: Flüsse/Seen "neu".',
    settings: {},
  });
  const answer = await node.fetch(`/api/websites/${website.id}/export`, { cookie: theirs });
  await answer.body?.cancel();
  expect(answer.headers.get("Content-Disposition")).toMatch(
    /^attachment; filename="Uber Flusse Seen neu \d{4}-\d\d-\d\d\.ndjson"; filename\*=UTF-8''%C3%9Cber%20Fl%C3%BCsse%20Seen%20neu%20/,
  );
});

test("an export of content that cannot be read is refused in words; one that breaks off on the way is no whole file", async () => {
  const { posts, terms } = node.services.contents.managed;
  const away = async () => Promise.reject(fail("CONTENT_STORE_UNAVAILABLE", "The content database is not responding."));
  const path = `/api/websites/${tenant.website.id}/export`;
  const listing = vi.spyOn(terms, "list").mockImplementation(away);
  onTestFinished(() => void vi.restoreAllMocks());
  const refused = await node.fetch(path, { cookie });
  expect([refused.status, refused.headers.get("Content-Disposition")]).toEqual([503, null]);
  expect((await problemOf(refused)).code).toBe("CONTENT_STORE_UNAVAILABLE");
  listing.mockRestore();
  vi.spyOn(posts, "get").mockImplementation(away);
  const cut = await node.fetch(path, { cookie });
  expect(cut.status).toBe(200);
  await expect(cut.text()).rejects.toThrow("terminated");
});

test("only who may export and import can, and only from the dashboard", async () => {
  const editor = await node.signIn(await tenant.addMember("editor"));
  const stranger = await node.signIn((await node.makeTenant()).owner);
  const path = `/api/websites/${tenant.website.id}/export`;
  expect((await node.fetch(path)).status).toBe(401);
  expect((await node.fetch(path, { cookie: editor })).status).toBe(403);
  expect((await node.fetch(path, { cookie: stranger })).status).toBe(404);
  // It would say that a website is there, or be an export that nobody took.
  for (const who of [cookie, stranger]) expect((await node.fetch(path, { method: "HEAD", cookie: who })).status).toBe(405);
  expect((await importInto(tenant.website.id, editor, "{}")).status).toBe(403);
  expect((await importInto(tenant.website.id, stranger, "{}")).status).toBe(404);
  const foreign = await node.fetch(`/api/websites/${tenant.website.id}/import`, {
    method: "POST",
    cookie,
    headers: { Origin: "https://evil.example" },
    body: "{}",
  });
  expect((await problemOf(foreign)).code).toBe("ORIGIN_NOT_ALLOWED");
});

test("a file that is no export is refused; one that breaks on the way says so in its last line", async () => {
  const refused = await importInto(tenant.website.id, cookie, "not an export\n");
  expect(refused.status).toBeGreaterThanOrEqual(400);
  expect(refused.status).toBeLessThan(500);
  const text = await (await node.fetch(`/api/websites/${tenant.website.id}/export`, { cookie })).text();
  const lines = text.split("\n");
  const broken = [...lines.slice(0, Math.min(150, lines.length - 2)), "{broken"].join("\n");
  const other = await node.makeTenant();
  const answer = await importInto(other.website.id, await node.signIn(other.owner), broken);
  const last = (await linesOf(answer)).at(-1)!;
  expect(last["problem"] ?? last).toMatchObject({ code: expect.any(String), detail: expect.stringContaining("ine") });
});

test("whoever is still sending hears what is wrong with a line, and is not left waiting", async () => {
  const lines = (await (await node.fetch(`/api/websites/${tenant.website.id}/export`, { cookie })).text()).split("\n");
  // After the answer has begun with how far it is, and more of it than any buffer on the way holds.
  const body = Buffer.from([...lines.slice(0, 110), "{broken", ...Array<string>(64).fill("y".repeat(512 * 1024))].join("\n"));
  const socket = connect(Number(new URL(node.url).port), "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  socket.write(
    `POST /api/websites/${tenant.website.id}/import HTTP/1.1\r\nHost: ${new URL(node.url).host}\r\nOrigin: ${node.url}\r\nCookie: ${cookie}\r\n` +
      `Content-Type: application/x-ndjson\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n`,
  );
  // As browsers do: they look at the answer when everything is sent.
  await new Promise<void>((resolve, reject) => socket.write(body, (error) => (error ? reject(error) : resolve())));
  const text = await socket.setEncoding("utf8").reduce((all, piece: string) => all + piece, "");
  expect(text).toContain('{"done":100');
  expect(text).toContain("Line 111 is not JSON");
});

test("an import whose connection is lost leaves a line in the activity log", async () => {
  const text = await (await node.fetch(`/api/websites/${tenant.website.id}/export`, { cookie })).text();
  const other = await node.makeTenant();
  const theirs = await node.signIn(other.owner);
  const abort = new AbortController();
  const body = new ReadableStream<Uint8Array>({
    start: (stream) => stream.enqueue(Buffer.from(text.slice(0, -200))),
  });
  const running = node.fetch(`/api/websites/${other.website.id}/import`, {
    method: "POST",
    cookie: theirs,
    headers: { "Content-Type": "application/x-ndjson" },
    body,
    duplex: "half",
    signal: abort.signal,
  } as RequestInit);
  // The last post has come; only the closing line is still to come, and never does.
  const { items } = await node.rpc(cookie, "list_posts", { websiteId: tenant.website.id, sort: "createdAt", limit: 100 });
  await expect
    .poll(async () => (await node.rpc(theirs, "list_posts", { websiteId: other.website.id, limit: 100 })).items.length, { timeout: 20_000 })
    .toBe(items.length);
  abort.abort();
  await running.then((answer) => answer.text()).catch(() => {});
  await expect
    .poll(() => node.rpc(theirs, "list_activity", { workspaceId: other.workspace.id, action: "import_website" }))
    .toMatchObject({ items: [{ details: { posts: items.length, stopped: "The connection ended before the file did." } }] });
});

test("an import that is still being sent ends with the session of whoever sends it", async () => {
  const text = await (await node.fetch(`/api/websites/${tenant.website.id}/export`, { cookie })).text();
  const lines = text.trimEnd().split("\n");
  const last = lines.findLastIndex((line) => line.startsWith('{"type":"post"'));
  const other = await node.makeTenant();
  const theirs = await node.signIn(other.owner);
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const body = writable.getWriter();
  const send = (part: readonly string[]) => body.write(Buffer.from(part.map((line) => `${line}\n`).join("")));
  const answer = node.fetch(`/api/websites/${other.website.id}/import`, {
    method: "POST",
    cookie: theirs,
    headers: { "Content-Type": "application/x-ndjson" },
    body: readable,
    duplex: "half",
  } as RequestInit);
  await send(lines.slice(0, last));
  const query = { statuses: POST_STATUSES, sort: "createdAt", after: null, limit: 100 } as const;
  const posts = async () => (await node.services.contentOf(other.website).posts.listHeads(other.website.id, query)).rows;
  await expect.poll(async () => (await posts()).length, { timeout: 20_000 }).toBe(29);
  await node.services.database.query({ text: `DELETE FROM "session" WHERE "userId" = $1`, values: [other.owner.id] });
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 2_000 });
  onTestFinished(() => void vi.useRealTimers());
  await send(lines.slice(last));
  await body.close();
  expect((await linesOf(await answer)).at(-1)).toMatchObject({ problem: { code: "NOT_SIGNED_IN" } });
  expect(await posts()).toHaveLength(29);
});
