import { afterAll, beforeAll, expect, test } from "vitest";
import { openDatabase } from "#adapters/postgres/database";
import { type Hosts, openHosts, splitHosts } from "#adapters/postgres/hosts";
import { migrate } from "#adapters/postgres/migrate";
import { type Blog, openService, type Service } from "#test/delivery-api/service";
import { withPart } from "#test/parts";
import { debianPostgres } from "./programs.ts";
import { makeOwnedDatabase } from "./role.ts";
import { startPostgres, type TestPostgres } from "./servers.ts";

test("an address may name several servers", () => {
  expect(splitHosts("postgres://stet:p%40ss@one:5432,two/stet?sslmode=require")).toEqual([
    "postgres://stet:p%40ss@one:5432/stet?sslmode=require",
    "postgres://stet:p%40ss@two/stet?sslmode=require",
  ]);
  expect(splitHosts("postgres://stet@localhost/stet?host=%2Frun")).toEqual(["postgres://stet@localhost/stet?host=%2Frun"]);
});

withPart(debianPostgres.name, debianPostgres.find(), (bin) => {
  let first: TestPostgres;
  let second: TestPostgres;
  let hosts: Hosts;
  let service: Service;
  let blog: Blog;

  beforeAll(async () => {
    first = await startPostgres(bin);
    const { url } = await makeOwnedDatabase(first);
    const database = openDatabase({ url, connections: 1 });
    await migrate(database);
    await database.close();
    second = await first.replica();
    // The one that follows is named first.
    const both = splitHosts(url.replace(/@.*\//, `@127.0.0.1:${second.port},127.0.0.1:${first.port}/`));
    hosts = await openHosts(both);
    service = await openService({ database: openDatabase({ hosts }) });
    blog = await service.blog();
  });
  afterAll(async () => {
    hosts.close();
    await service.stop();
    await second.close();
    await first.close();
  });

  const get = async (path: string) => (await blog.get(path)).json.data;
  const statusOf = async (path: string) => (await blog.get(path)).status;
  /** Until the other server has everything. */
  const followed = () =>
    expect
      .poll(async () => (await first.ask("SELECT pg_current_wal_lsn() = replay_lsn AS all FROM pg_stat_replication"))[0]?.["all"], {
        interval: 20,
      })
      .toBe(true);

  /** Until this node has looked for changes once more: a mark that nobody is notified of is found by looking only. */
  async function allHeard(): Promise<void> {
    const heard: unknown[] = [];
    const unsubscribe = service.services.signals.subscribe((signal) => heard.push(signal));
    const mark = { topic: "content", id: "site_mark" };
    const text = "INSERT INTO signals (topic, id, xid) VALUES ($1, $2, pg_current_xact_id())";
    await service.services.database.query({ text, values: [mark.topic, mark.id] });
    await expect.poll(() => heard, { interval: 10 }).toContainEqual(mark);
    unsubscribe();
  }

  test("PostgreSQL stopped right after a save: what was read before is answered as before, and nobody is refused", async () => {
    const post = await blog.write.post("Title", { slug: "post" });
    expect((await get("/blog/posts/post")).title).toBe("Title");
    await blog.write.edit(post, { title: "Draft", autosave: true });
    await allHeard();
    expect(await statusOf("/blog/posts/post")).toBe(200);
    await first.stop("SIGQUIT");
    const answers = [];
    for (let n = 0; n < 100; n++) answers.push(await blog.get("/blog/posts/post"));
    expect(new Set(answers.map(({ status, headers }) => `${status} ${String(headers["cache-status"])}`))).toEqual(
      new Set(["200 undefined"]),
    );
    await first.start();
    await expect.poll(async () => (await blog.get("/blog/posts?limit=7")).status, { interval: 50 }).toBe(200);
  });

  test("the primary is killed and the replica takes its place: saves and reads go on without a restart", async () => {
    await followed();
    // The last commit never reaches the replica, as when the network goes first.
    await second.stop("SIGQUIT");
    await blog.write.post("Lost", { slug: "lost" });
    expect((await get("/blog/posts/lost")).title).toBe("Lost");
    expect(await statusOf("/blog/posts/won")).toBe(404);
    await first.stop("SIGKILL");
    expect(await statusOf("/blog/posts/lost")).toBe(200);
    await second.start();
    await second.ask("SELECT pg_promote()");
    const saved = () =>
      blog.write.draft("Any").then(
        () => true,
        () => false,
      );
    await expect.poll(saved, { interval: 100 }).toBe(true);
    // The version that was lost comes a second time, with another post in it.
    await blog.write.post("Won", { slug: "won" });
    await expect.poll(() => statusOf("/blog/posts/won"), { interval: 50 }).toBe(200);
    await expect.poll(() => statusOf("/blog/posts/lost"), { interval: 50 }).toBe(404);
    expect((await get("/blog/posts?limit=9")).map(({ slug }: { slug: string }) => slug).toSorted()).toEqual(["post", "won"]);
  });

  test("a server that came back as a replica is left alone", async () => {
    await first.stop().catch(() => {});
    const old = await second.replica();
    // It answers under the address that the service knows, and takes no writes.
    const found = await openHosts([old.url, second.url]);
    expect(found.current).toBe(second.url);
    found.close();
    const follower = openDatabase({ hosts: { current: old.url, lost: () => lost.push("told"), close: () => {} } });
    const lost: string[] = [];
    await expect(follower.query({ text: "SELECT 1" })).rejects.toMatchObject({ code: "25006" });
    expect(lost).toEqual(["told"]);
    await follower.close();
    await old.close();
  });
});
