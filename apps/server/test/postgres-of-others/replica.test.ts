import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { openReplica, type Replica } from "#adapters/postgres/content/replica";
import { openDatabase } from "#adapters/postgres/database";
import { migrate } from "#adapters/postgres/migrate";
import { notFound } from "#domain/failure";
import type { WebsiteId } from "#domain/ids";
import { inPool } from "#domain/pool";
import { checkReplica } from "#main/doctor/replica";
import { type BreakableProxy, openBreakableProxy } from "#test/breakable-proxy";
import { type Blog, openService, type Service } from "#test/delivery-api/service";
import { writingIn } from "#test/delivery/writing";
import { withPart } from "#test/parts";
import { debianPostgres } from "./programs.ts";
import { makeOwnedDatabase } from "./role.ts";
import { startPostgres, type TestPostgres } from "./servers.ts";

withPart(debianPostgres.name, debianPostgres.find(), (bin) => {
  let primary: TestPostgres;
  let follower: TestPostgres;
  let proxy: BreakableProxy;
  let url: string;
  let here: Service;
  let there: Service;
  let blog: Blog;
  /** Which server answered, in the order of the reads of `here`. */
  const served: ("replica" | "primary")[] = [];
  const troubles: string[] = [];

  const onReplica = (told: string[] = []) =>
    openReplica(openDatabase({ url: proxy.url, connections: 4, connectMillis: 500 }), (message) => told.push(message));
  const counted = (replica: Replica): Replica => ({
    ...replica,
    async read(website, version, work) {
      try {
        const read = await replica.read(website, version, work);
        served.push(read ? "replica" : "primary");
        return read;
      } catch (error) {
        served.push("replica");
        throw error;
      }
    },
  });
  let ours: Replica;
  let theirs: Replica;

  beforeAll(async () => {
    primary = await startPostgres(bin);
    ({ url } = await makeOwnedDatabase(primary));
    const database = openDatabase({ url, connections: 1 });
    await migrate(database);
    await database.close();
    // What is there before the copy is made is on the replica from the start; everything else comes five seconds late.
    const before = await openService({ database: openDatabase({ url }) });
    const made = await before.blog();
    await made.write.post("Before");
    await before.stop();
    follower = await primary.replica("5s");
    proxy = await openBreakableProxy(url.replace(String(primary.port), String(follower.port)));
    [ours, theirs] = [counted(onReplica(troubles)), onReplica()];
    here = await openService({ database: openDatabase({ url }), replica: ours });
    there = await openService({ database: openDatabase({ url }), replica: theirs });
    // This node is the one that publishes.
    blog = { ...made, write: writingIn(here.services, made.tenant) };
  });
  afterAll(async () => {
    for (const service of [here, there]) await service.stop();
    for (const replica of [ours, theirs]) await replica.close();
    await proxy.close();
    await follower.close();
    await primary.close();
  });

  /** An address that nobody asked for before: its answer has to be read. */
  let asked = 0;
  const coldTitles = async (node: Service): Promise<string[]> => {
    asked += 1;
    const { json } = await node.ask(`/blog/posts?sort=${asked > 100 ? "title" : "-title"}&limit=${1 + (asked % 100)}`, { key: blog.key });
    return json.data.map(({ title }: { title: string }) => title);
  };
  const status = async (node: Service, path: string) => (await node.ask(path, { key: blog.key })).status;

  test("what the replica has is read there", async () => {
    expect(await coldTitles(here)).toEqual(["Before"]);
    expect(await status(here, "/blog/posts/before")).toBe(200);
    expect(await status(here, "/blog/posts/nothing")).toBe(404);
    expect(served.splice(0)).toEqual(["replica", "replica", "replica"]);
  });

  test("after a publish nothing is stale: not here, and not on a node that has heard of it, while the replica is five seconds behind", async () => {
    const heard: string[] = [];
    const unsubscribe = there.services.signals.subscribe((signal) => signal !== "everything" && heard.push(`${signal.topic} ${signal.id}`));
    let post = await blog.write.post("Title 0", { slug: "changing" });
    for (let n = 1; n < 6; n++) {
      heard.length = 0;
      post = await blog.write.revise(post, { title: `Title ${n}` });
      expect(await coldTitles(here)).toContain(`Title ${n}`);
      expect((await here.ask("/blog/posts/changing", { key: blog.key })).json.data.title).toBe(`Title ${n}`);
      await expect.poll(() => heard, { interval: 5 }).toContain(`content ${blog.tenant.website.id}`);
      expect((await there.ask("/blog/posts/changing", { key: blog.key })).json.data.title).toBe(`Title ${n}`);
      expect(await coldTitles(there)).toContain(`Title ${n}`);
    }
    post = await blog.write.unpublish(post);
    expect(await status(here, "/blog/posts/changing")).toBe(404);
    unsubscribe();
    expect(new Set(served.splice(0))).toEqual(new Set(["primary"]));
    // It was the delay that did it, and it ends.
    await expect.poll(async () => [await coldTitles(here), served.splice(0)], { interval: 250 }).toEqual([["Before"], ["replica"]]);
  });

  test("a replica that is away or hangs keeps nobody waiting, and is read again when it is back", async () => {
    for (const [fault, mostMillis] of [
      ["cut", 2_500],
      ["hang", 15_000],
    ] as const) {
      const started = performance.now();
      proxy[fault]();
      expect(await coldTitles(here)).toEqual(["Before"]);
      expect(performance.now() - started).toBeLessThan(mostMillis);
      const again = performance.now();
      expect(await coldTitles(here)).toEqual(["Before"]);
      expect(performance.now() - again).toBeLessThan(2_500);
      expect(served.splice(0)).toEqual(["primary", "primary"]);
      proxy.restore();
      await expect.poll(async () => [await coldTitles(here), served.splice(0)], { interval: 100 }).toEqual([["Before"], ["replica"]]);
    }
    expect(new Set(troubles)).toEqual(new Set([expect.stringMatching(/DATABASE_READ_URL does not answer/)]));
  });

  test("it is read again also when whoever found it away has gone", async () => {
    const gone = new AbortController();
    const { website } = blog.tenant;
    const read = () => ours.read(website, 0, async () => "read");
    proxy.cut();
    expect(await inPool("reads", read, gone.signal)).toBe(null);
    gone.abort();
    proxy.restore();
    await expect.poll(read, { interval: 100 }).toEqual({ value: "read" });
    served.length = 0;
  });

  test("of a replica only what it has of this epoch is taken, and what only the primary can answer is left to it", async () => {
    const { website } = blog.tenant;
    const read = (epoch: number, work: () => Promise<string>) => ours.read({ id: website.id, home: { kind: "managed", epoch } }, 0, work);
    expect(await read(website.home.epoch, async () => "read")).toEqual({ value: "read" });
    expect(await read(website.home.epoch + 1, async () => "read")).toBe(null);
    // As where a migration has not come through yet.
    expect(await read(website.home.epoch, () => Promise.reject(new Error("column does not exist")))).toBe(null);
    await expect(read(website.home.epoch, () => Promise.reject(notFound("post")))).rejects.toThrow(/post/);
    expect(await ours.read({ id: "site_unknown" as WebsiteId, home: website.home }, 1, async () => "read")).toBe(null);
  });

  test("a read that nobody waits for is cancelled on the replica too", async () => {
    const reader = openDatabase({ url: proxy.url, connections: 1 });
    const gone = new AbortController();
    const sleeping = inPool("reads", () => reader.transaction((on) => on.query({ text: "SELECT pg_sleep(60) AS asleep" })), gone.signal);
    sleeping.catch(() => {});
    const asleep = async () => (await follower.ask("SELECT 1 FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep%'")).length;
    await expect.poll(asleep, { interval: 20 }).toBe(1);
    gone.abort();
    await expect(sleeping).rejects.toThrow();
    await expect.poll(asleep, { interval: 20 }).toBe(0);
    await reader.close();
  });

  test("doctor says whether it is a replica, and how far behind", async () => {
    const database = openDatabase({ url, connections: 1 });
    const say = async (databaseReadUrl: string) => (await checkReplica(database, { databaseReadUrl, databasePooled: false }))[0];
    await blog.write.post("Late");
    expect(await say(proxy.url)).toEqual({
      verdict: "good",
      message: expect.stringMatching(/^Replica: follows DATABASE_URL, \d s behind/),
    });
    expect(await say(url)).toEqual({ verdict: "warning", message: expect.stringMatching(/takes writes/) });
    expect(await say(inject("postgresUrl"))).toEqual({ verdict: "problem", message: expect.stringMatching(/is not a copy/) });
    expect(await say("postgres://stet@127.0.0.1:1/stet")).toEqual({ verdict: "problem", message: expect.stringMatching(/cannot be used/) });
    await database.close();
  });
});
