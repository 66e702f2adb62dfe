import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { openAccounts } from "#adapters/accounts/accounts";
import { asSignedIn } from "#http/shared/sessions";
import { sessionsWith } from "#main/dashboard";
import { closedAtEnd } from "#test/closed-at-end";
import { openDashboardNode } from "#test/dashboard-node";
import { problemOf } from "#test/delivery-node";
import { TEST_SECRET } from "#test/services";

const node = closedAtEnd(await openDashboardNode({ pages: false }));
const tenant = await node.makeTenant();
const cookie = await node.signIn(tenant.owner);

const call = (name: string, body: unknown, init: { cookie?: string; headers?: Record<string, string>; method?: string } = {}) =>
  node.fetch(`/api/rpc/${name}`, {
    method: init.method ?? "POST",
    cookie: init.cookie ?? cookie,
    headers: { "Content-Type": "application/json", ...init.headers },
    ...(init.method !== "GET" && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });

test("an operation is run as the person who is signed in, and its output is the data", async () => {
  const post = await node.rpc(cookie, "create_post", { websiteId: tenant.website.id, title: "Hello" });
  expect(post).toMatchObject({ id: expect.stringMatching(/^post_/), version: 1 });
  const answer = await call("get_account", {});
  expect(answer.headers.get("Cache-Control")).toBe("no-store");
  expect(answer.headers.get("X-Request-Id")).toMatch(/^req_/);
  expect(await answer.json()).toMatchObject({ data: { id: tenant.owner.id } });
});

test("without a session, with a forged or an ended one: 401 NOT_SIGNED_IN", async () => {
  const ended = await node.signIn(tenant.owner);
  await node.services.database.query({
    text: `UPDATE "session" SET "expiresAt" = now() - interval '1 second' WHERE token = $1`,
    values: [decodeURIComponent(ended.split("=")[1]!).split(".")[0]],
  });
  for (const bad of ["", "stet.session_token=abc.def", `${cookie.slice(0, -6)}AAAAA%3D`, ended]) {
    const answer = await call("get_account", {}, { cookie: bad });
    expect(answer.status, bad).toBe(401);
    expect(await problemOf(answer)).toMatchObject({ code: "NOT_SIGNED_IN" });
  }
});

test("a session that ends while a body is on its way does nothing any more, also where nobody knew its cookie", async () => {
  const { auth } = openAccounts({ pool: node.services.database.pool, secret: TEST_SECRET, baseUrl: node.url, signups: false });
  // Too long to be remembered.
  const unknown = `${await node.signIn(tenant.owner)}; longer=${"x".repeat(2_000)}`;
  const request = { headers: { cookie: unknown } } as IncomingMessage;
  const done = asSignedIn(sessionsWith(auth), request, async (userId, confirm) => {
    const token = decodeURIComponent(unknown.split(/[=;]/)[1]!).split(".")[0];
    await node.services.database.query({ text: `DELETE FROM "session" WHERE token = $1`, values: [token] });
    await confirm();
    return userId;
  });
  await expect(done).rejects.toMatchObject({ code: "NOT_SIGNED_IN" });
});

test("a cookie that was let in before opens nothing once its session has ended: nothing is done, and nothing else is told", async () => {
  const theirs = await node.signIn(tenant.owner);
  const { id: postId } = await node.rpc(theirs, "create_post", { websiteId: tenant.website.id, title: "As it was" });
  await node.services.database.query({
    text: `DELETE FROM "session" WHERE token = $1`,
    values: [decodeURIComponent(theirs.split("=")[1]!).split(".")[0]],
  });
  for (const [name, body] of [
    ["edit_post", { websiteId: tenant.website.id, postId, expectedVersion: 1, title: "Changed" }],
    ["edit_post", { websiteId: tenant.website.id, postId, expectedVersion: 7, title: "Changed" }],
    ["create_post", { websiteId: tenant.website.id, title: "New" }],
    ["get_post", { websiteId: "not an id" }],
    ["no_such", {}],
    ["get_account", "{"],
  ] as const) {
    const answer = await call(name, body, { cookie: theirs });
    expect(answer.status, name).toBe(401);
    expect(await problemOf(answer)).toMatchObject({ code: "NOT_SIGNED_IN" });
  }
  expect(await node.rpc(cookie, "get_post", { websiteId: tenant.website.id, postId })).toMatchObject({ version: 1 });
  expect(await node.rpc(cookie, "list_posts", { websiteId: tenant.website.id, titleContains: "New" })).toMatchObject({ items: [] });
});

test("a save wakes the database twice: for all that it reads, and to write", async () => {
  const { pool } = node.services.database;
  let wakes = 0;
  const count = () => void (wakes += 1);
  const wakingTwice = async <T>(save: Promise<T>): Promise<T> => {
    wakes = 0;
    const saved = await save;
    expect(wakes).toBe(2);
    return saved;
  };
  const websiteId = tenant.website.id;
  // The cookie is known from here on.
  await node.rpc(cookie, "get_account", {});
  pool.on("acquire", count);
  try {
    const { id: postId } = await wakingTwice(
      node.rpc(cookie, "create_post", { websiteId, title: "Saved while it is written", body: "Once." }),
    );
    await wakingTwice(node.rpc(cookie, "edit_post", { websiteId, postId, expectedVersion: 1, body: "Once more.", autosave: true }));
    await wakingTwice(node.rpc(cookie, "publish_post", { websiteId, postId, expectedVersion: 2 }));
  } finally {
    pool.off("acquire", count);
  }
});

test("a conflict names the present version", async () => {
  const { id: postId } = await node.rpc(cookie, "create_post", { websiteId: tenant.website.id, title: "Twice" });
  await node.rpc(cookie, "edit_post", { websiteId: tenant.website.id, postId, expectedVersion: 1, title: "One" });
  const answer = await call("edit_post", { websiteId: tenant.website.id, postId, expectedVersion: 1, title: "Two" });
  expect(answer.status).toBe(409);
  expect(await problemOf(answer)).toMatchObject({ code: "VERSION_CONFLICT", facts: { currentVersion: 2 } });
});

test("what is not in the registry, what is streamed and what is inherited by every object is not there", async () => {
  for (const name of [
    "no_such",
    "export_website",
    "import_website",
    "add_media",
    "constructor",
    "__proto__",
    "toString",
    "hasOwnProperty",
  ]) {
    const answer = await call(name, { websiteId: tenant.website.id });
    expect(answer.status, name).toBe(404);
    expect(await problemOf(answer), name).toMatchObject({ code: "ROUTE_NOT_FOUND" });
  }
});

test("what belongs to whoever runs the install is refused by the policy", async () => {
  const answer = await call("create_account", { email: "x@example.com", name: "X", password: "correct horse battery" });
  expect(answer.status).toBe(403);
  expect(await problemOf(answer)).toMatchObject({ code: "INSUFFICIENT_ROLE" });
});

test("only POST, only JSON, only an object, only so much", async () => {
  const got = await call("get_account", null, { method: "GET" });
  expect([got.status, got.headers.get("Allow")]).toEqual([405, "POST"]);
  expect((await call("get_account", "{}", { headers: { "Content-Type": "text/plain" } })).status).toBe(415);
  expect((await call("get_account", "[]")).status).toBe(400);
  expect((await call("get_account", "{")).status).toBe(400);
  expect((await call("get_account", { filler: "x".repeat(4 * 1024 * 1024) })).status).toBe(413);
  const unknown = await call("get_account", { surprise: 1 });
  expect(unknown.status).toBe(422);
});

test("another tenant's website is not there, and a member who was removed has lost access with the next request", async () => {
  const member = await tenant.addMember("editor");
  const theirs = await node.signIn(member);
  const stranger = await node.signIn((await node.makeTenant()).owner);
  const read = (who: string) => call("get_website", { websiteId: tenant.website.id }, { cookie: who });
  expect((await read(theirs)).status).toBe(200);
  expect((await read(stranger)).status).toBe(404);
  await node.rpc(cookie, "remove_member", { workspaceId: tenant.workspace.id, userId: member.userId });
  expect((await read(theirs)).status).toBe(404);
});

test("a session says who is signed in and where they may go", async () => {
  const answer = await node.fetch("/api/session", { cookie });
  expect(await answer.json()).toEqual({
    data: {
      user: { id: tenant.owner.id, name: tenant.owner.name, email: tenant.owner.email, emailVerified: true, twoFactorEnabled: false },
      workspaces: [
        {
          id: tenant.workspace.id,
          name: tenant.workspace.name,
          plan: "team",
          role: "owner",
          reach: expect.objectContaining({ "workspace.delete": "any" }),
          websites: [{ id: tenant.website.id, name: tenant.website.name }],
        },
      ],
    },
  });
  const contributor = await node.signIn(await tenant.addMember("contributor"));
  const theirs = (await (await node.fetch("/api/session", { cookie: contributor })).json()) as { data: unknown };
  expect(theirs.data).toMatchObject({
    workspaces: [{ reach: { "post.read": "own or published", "post.write": "own", "post.publish": "none" } }],
  });
  const nobody = await node.fetch("/api/session");
  expect([nobody.status, await nobody.json()]).toEqual([200, { data: null }]);
});
