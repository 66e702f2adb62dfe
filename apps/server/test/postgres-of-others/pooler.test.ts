import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Database, openDatabase } from "#adapters/postgres/database";
import { openPostgresRateLedger } from "#adapters/postgres/rate-ledger";
import { openPostgresRateNodes } from "#adapters/postgres/rate-nodes";
import { migrate } from "#adapters/postgres/migrate";
import { readConfig } from "#main/config";
import { openInstallDatabase } from "#main/database";
import { POOL_SIZES } from "#main/settings";
import { checkPooling } from "#main/doctor/pooling";
import { openService, type Service } from "#test/delivery-api/service";
import { withPart } from "#test/parts";
import { contentSuiteOn } from "./content-suite.ts";
import { debianPostgres, pgbouncer } from "./programs.ts";
import { makeOwnedDatabase } from "./role.ts";
import { startPgbouncer, startPostgres, type TestPooler, type TestPostgres } from "./servers.ts";

withPart(debianPostgres.name, debianPostgres.find(), (bin) =>
  withPart(pgbouncer.name, pgbouncer.find(), (program) => {
    let server: TestPostgres;
    /** Refuses settings at the start of a connection, as pgbouncer does unless told otherwise; the other one ignores them. */
    let pooler: TestPooler;
    let lenient: TestPooler;
    let direct: string;
    let url: string;
    /** Another database: the suite looks for content of all websites. */
    let suiteUrl: string;
    const opened: Database[] = [];
    const open = (options: Parameters<typeof openDatabase>[0]): Database => {
      const database = openDatabase(options);
      opened.push(database);
      return database;
    };

    beforeAll(async () => {
      server = await startPostgres(bin);
      const owned = await makeOwnedDatabase(server);
      // As on a server of people who do not think in UTC.
      await server.ask(`ALTER ROLE ${owned.role} SET timezone = 'Asia/Kolkata'`);
      const suite = await makeOwnedDatabase(server);
      const users = [owned.role, suite.role];
      pooler = await startPgbouncer(program, server, { users });
      lenient = await startPgbouncer(program, server, { users, settings: { ignore_startup_parameters: "options" } });
      direct = owned.url;
      url = pooler.through(direct);
      suiteUrl = pooler.through(suite.url);
      await migrate(open({ url, pooled: true, connections: 1 }));
    });
    afterAll(async () => {
      for (const database of opened) await database.close();
      await pooler.close();
      await lenient.close();
      await server.close();
    });

    test("a long statement through a pooler that nobody told us of is left alone, though the server knows no session of its number", async () => {
      const database = open({ url: lenient.through(direct), connections: 1, watchMillis: 100 });
      expect((await database.query({ text: "SELECT pg_sleep(1)" })).rowCount).toBe(1);
    });

    test("two nodes behind a pooler see each other, and borrow from the ledger what there is and nothing twice", async () => {
      const databases = [open({ url, pooled: true, connections: 4 }), open({ url, pooled: true, connections: 4 })];
      const ledgers = databases.map((database) => openPostgresRateLedger(database));
      const lives = await Promise.all(ledgers.map((ledger) => ledger.open()));
      expect(lives[0]).toBe(lives[1]);
      const beats = () => Promise.all(databases.map((database, n) => openPostgresRateNodes(database).beat(`node ${n}`, "PostgreSQL")));
      await beats();
      expect(await beats()).toEqual([
        { nodes: 2, elsewhere: 0 },
        { nodes: 2, elsewhere: 0 },
      ]);
      const asks = Array.from({ length: 10 }, (_, n) => ({
        key: `pooled ${n}`,
        ratePerSecond: 1e-6,
        burst: 10,
        least: 1,
        most: 1,
        atMost: 10,
        returned: 0,
      }));
      const rounds = Array.from({ length: 24 }, (_, n) => ledgers[n % 2]!.borrow(n % 4 < 2 ? asks : asks.toReversed()));
      const answers = await Promise.all(rounds);
      const granted = answers.flatMap((one) => one.answers).reduce((sum, one) => sum + one.granted, 0);
      expect(granted).toBeCloseTo(100, 3);
      expect(new Set(answers.map(({ life }) => life))).toEqual(new Set(lives));
    });

    describe("the read API behind a pooler in transaction mode", () => {
      let here: Service;
      let there: Service;
      beforeAll(async () => {
        // The first listens past the pooler, the second only looks.
        here = await openService({ database: openDatabase({ url, pooled: true, directUrl: direct, connections: POOL_SIZES }) });
        there = await openService({ database: openDatabase({ url, pooled: true }) });
      });
      afterAll(async () => {
        await here.stop();
        await there.stop();
      });

      test("many reads at once that are not ready are all answered, with times in UTC", async () => {
        const blog = await here.blog();
        const post = await blog.write.post("Post");
        const paths = Array.from({ length: 60 }, (_, n) => `/blog/posts?limit=${n + 1}`);
        const answers = await Promise.all(
          [...paths, "/blog/posts/post", `/blog/posts/${post.id}`, "/blog/categories"].map((path) => blog.get(path)),
        );
        expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
        expect(answers[0]!.json.data[0].publishedAt).toBe(here.services.now.toISOString());
      });

      test("a published change is visible to the next request here, and soon on a node that cannot listen", async () => {
        const blog = await here.blog();
        let post = await blog.write.post("Post");
        const titleThere = async () => (await there.ask("/blog/posts/post", { key: blog.key })).json.data?.title;
        for (let n = 0; n < 3; n++) {
          post = await blog.write.revise(post, { title: `Title ${n}` });
          expect((await blog.get("/blog/posts/post")).json.data.title).toBe(`Title ${n}`);
          await expect.poll(titleThere, { interval: 20, timeout: 5_000 }).toBe(`Title ${n}`);
        }
      });

      test("saves at the same time, in one commit and in transactions, are all kept", async () => {
        const blog = await here.blog();
        await Promise.all(Array.from({ length: 30 }, (_, n) => blog.write.post(`Post ${n}`)));
        expect((await blog.get("/blog/posts?limit=100")).json.data).toHaveLength(30);
      });
    });

    describe("what an operator is told", () => {
      test("a pooler that refuses our settings: the start names what to set", async () => {
        await expect(openInstallDatabase(readConfig({ DATABASE_URL: url }), { role: "command", report: () => {} })).rejects.toThrow(
          /pgbouncer: set DATABASE_POOLER=transaction/,
        );
      });

      const OFF = { databasePooled: false, databaseDirectUrl: null };
      const ON = { databasePooled: true, databaseDirectUrl: null };
      const saidOf = async (database: Database, settings: Parameters<typeof checkPooling>[1]) =>
        (await checkPooling(database, settings)).map(({ verdict, message }) => `${verdict}: ${message}`);

      test("a pooler that ignores our settings is found by doctor, which names what to set", async () => {
        const database = open({ url: lenient.through(direct) });
        expect(await saidOf(database, OFF)).toEqual([expect.stringMatching(/^problem: .*Set DATABASE_POOLER=transaction\./)]);
      });

      test("without a pooler nothing is said, and the setting is called needless", async () => {
        const database = open({ url: direct });
        expect(await saidOf(database, OFF)).toEqual([]);
        expect(await saidOf(database, ON)).toEqual([expect.stringMatching(/^warning: .*Leave DATABASE_POOLER out/)]);
      });

      test("with the setting doctor tries the direct address, and names what the role should be set to", async () => {
        const listens = { databasePooled: true, databaseDirectUrl: direct };
        expect(await saidOf(open({ url, pooled: true, directUrl: direct }), listens)).toEqual([
          expect.stringMatching(/^good: .*heard at DATABASE_DIRECT_URL/),
          expect.stringMatching(/^warning: .*SET jit = 'off'; ALTER ROLE .* SET random_page_cost = '1.1'/),
        ]);
        const elsewhere = (await makeOwnedDatabase(server)).url;
        expect((await saidOf(open({ url, pooled: true, directUrl: elsewhere }), listens))[0]).toMatch(/^problem: .*not heard there/);
      });
    });

    contentSuiteOn("behind pgbouncer in transaction mode", async () => {
      const database = openDatabase({ url: suiteUrl, pooled: true });
      await migrate(database);
      return database;
    });
  }),
);
