import { createServer, type Server } from "node:net";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { Failure } from "#domain/failure";
import { buildPost, testId, WEBSITE } from "#test/builders";
import { openTestDatabase } from "#test/postgres";
import { openDatabase } from "../database.ts";
import { connect } from "./connection.ts";
import { openPostgresContent } from "./open.ts";
import { sql } from "./sql.ts";

const unavailable = expect.objectContaining({ code: "CONTENT_STORE_UNAVAILABLE" });

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

test("a server that is not there, or hangs up at once, is a content store that does not answer", async () => {
  const hangsUp = createServer((socket) => socket.destroy());
  const port = await listening(hangsUp);
  const gone = createServer();
  const freePort = await listening(gone);
  await new Promise((resolve) => gone.close(resolve));
  for (const url of [`postgres://x@127.0.0.1:${freePort}/x`, `postgres://x@127.0.0.1:${port}/x`, "postgres://x@host.invalid/x"]) {
    const database = openDatabase({ url });
    const store = openPostgresContent(database);
    await expect(store.posts.get(WEBSITE, testId("post", 1))).rejects.toEqual(unavailable);
    await expect(store.posts.purge(WEBSITE, testId("post", 1), 1)).rejects.toEqual(unavailable);
    await database.close();
  }
  await new Promise((resolve) => hangsUp.close(resolve));
});

test("a connection that is cut while a statement runs fails that statement only; the next one is served", async () => {
  const database = await openTestDatabase();
  const store = openPostgresContent(database);
  const connection = connect(database);
  const slow = connection.rows(sql`SELECT pg_sleep(30)`);
  const slowFails = expect(slow).rejects.toEqual(unavailable);
  const cut =
    "SELECT count(pg_terminate_backend(pid)) AS cut FROM pg_stat_activity WHERE datname = current_database() AND query LIKE '%pg_sleep(30)%' AND pid <> pg_backend_pid()";
  for (let found = 0; found === 0;) found = (await database.query<{ cut: number }>({ text: cut })).rows[0]!.cut;
  await slowFails;
  expect(await store.posts.insert(buildPost(1), { visible: false })).toBe("saved");
  await database.close();
});

test("the refusal names no host, account or statement", async () => {
  const database = openDatabase({ url: "postgres://someone:secret@127.0.0.1:1/private" });
  const failure = await openPostgresContent(database)
    .posts.get(WEBSITE, testId("post", 1))
    .catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(Failure);
  expect((failure as Failure).message).not.toMatch(/127|someone|secret|private|SELECT/);
  await database.close();
});

test("a fault of ours is not taken for a server that does not answer", async () => {
  const database = await openTestDatabase();
  await expect(connect(database).rows(sql`SELECT no_such_column`)).rejects.toMatchObject({ code: "42703" });
  await database.close();
});

test("a post with an impossible id fails alone, also when others ask in the same moment", async () => {
  const database = await openTestDatabase();
  const { posts } = openPostgresContent(database);
  const post = buildPost(1);
  await posts.insert(post, { visible: false });
  const impossible = "post_\u0000" as typeof post.id;
  const [good, bad, alsoGood] = await Promise.allSettled([post.id, impossible, post.id].map((id) => posts.get(post.websiteId, id)));
  expect(bad).toMatchObject({ status: "rejected", reason: { code: "22021" } });
  for (const found of [good, alsoGood]) expect(found).toMatchObject({ status: "fulfilled", value: { id: post.id } });
  await database.close();
});
