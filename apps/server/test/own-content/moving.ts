import { setTimeout as delay } from "node:timers/promises";
import { MongoClient } from "mongodb";
import { openPostgresSignals } from "#adapters/postgres/signals/signals";
import { Failure } from "#domain/failure";
import type { MoveSubject } from "#domain/move";
import { registry } from "#operations/registry";
import type { Platform } from "#ports/platform";
import { openBreakableProxy } from "#test/breakable-proxy";
import { closedAtEnd } from "#test/closed-at-end";
import { openLossyProxy } from "#test/lossy-proxy";
import { type MongoServer, testDatabaseName } from "#test/mongodb";
import { openTestDatabase } from "#test/postgres";
import { openTestServices, type Tenant, type TestServices } from "#test/services";
import { runMove } from "#worker/moving/run-move";

/** Two nodes of one install, and a customer's database behind a line that can be cut. */
export async function openMoving(server: MongoServer) {
  const started = await server.start();
  const line = await openLossyProxy(started.url);
  const proxy = await openBreakableProxy(line.url);
  const database = await openTestDatabase();
  const first = await openTestServices({}, database);
  const signals = [await openPostgresSignals(first.database, () => {}), await openPostgresSignals(first.database, () => {})] as const;
  const second = await openTestServices({ signals: signals[1] }, { ...first.database, close: async () => {} });
  Object.assign(first, { signals: signals[0] });
  const customer = new MongoClient(started.url);
  return {
    nodes: [first, second] as const,
    databaseUrl: database.url,
    proxy,
    /** Meddles with single commands on the way to it. */
    line,
    /** Kills the database and starts it again; where it would forget everything, it is only gone for so long. */
    async killDatabase(goneMillis: number): Promise<void> {
      if (started.killAndStart) return line.leadTo(await started.killAndStart());
      proxy.cut();
      await delay(goneMillis);
      proxy.restore();
    },
    /** The address of a database that nobody used yet, and what its owner can do there. */
    newDatabase() {
      const name = testDatabaseName();
      const url = new URL(proxy.url);
      url.pathname = `/${name}`;
      return { url: url.href, there: customer.db(name) };
    },
    async close() {
      await customer.close();
      for (const each of signals) await each.close();
      await second.close();
      await first.close();
      await proxy.close();
      await line.close();
      await started.stop();
    },
  };
}

/** For a whole file: opened while its tests are collected, and closed after the last of them. */
export async function openMovingOnce(server: MongoServer) {
  const moving = closedAtEnd(await openMoving(server));
  const [first, second] = moving.nodes;
  return { moving, first, second };
}

/** What the tests of moving do again and again, on one website. */
export function onContent(services: TestServices, tenant: Tenant) {
  const { id: websiteId } = tenant.website;
  const at = {
    call: <Name extends keyof typeof registry>(name: Name, input: Record<string, unknown> = {}, on = services, actor = tenant.actor) =>
      on.call(registry[name], actor, { websiteId, ...input }),
    home: async () => (await services.platform.websites.get(websiteId))!.home,
    /** Lets rests and leases be over at once: what waits for the clock is not what these tests are about. */
    hurry: () => services.database.query({ text: "UPDATE moves SET look_at = now() WHERE website_id = $1", values: [websiteId] }),
    async isPaused(): Promise<boolean> {
      const text = "SELECT paused_until > clock_timestamp() AS paused FROM website_content WHERE website_id = $1";
      return (await services.database.query({ text, values: [websiteId] })).rows[0]?.paused === true;
    },
    /** Lets the announcements of writes end at once whose node says nothing more: nobody waits for a minute here. */
    endTickets: () =>
      services.database.query({ text: "UPDATE write_tickets SET until = now() WHERE website_id = $1", values: [websiteId] }),
    async step(on: TestServices = services, subject: MoveSubject = "content") {
      await at.hurry();
      await runMove(on, { websiteId, subject });
      return (await services.platform.moves.get(websiteId, subject))!;
    },
    /** Takes steps until nothing is left to do, or it goes wrong. */
    async finish(on: TestServices = services, subject: MoveSubject = "content") {
      for (let steps = 0; steps < 100; steps++) {
        const move = await at.step(on, subject);
        // On a busy machine the pause can be over too soon: then it is tried again, as the service does by itself.
        const isTooSlow = move.error?.includes("too slow for the switch") === true;
        if (move.state !== "running" || (move.failures > 0 && !isTooSlow)) return move;
      }
      throw new Error("The move does not end.");
    },
    async out(url: string) {
      await at.call("connect_own_database", { url });
      await at.call("activate_own_database");
      return at.finish();
    },
    async back() {
      await at.call("disconnect_own_database");
      return at.finish();
    },
  };
  return at;
}

/** The node with other homes: what dies there dies in the middle of it. */
export const withHomes = (services: TestServices, change: (homes: Platform["homes"]) => Partial<Platform["homes"]>): TestServices => ({
  ...services,
  platform: { ...services.platform, homes: { ...services.platform.homes, ...change(services.platform.homes) } },
});

export const isRefused = (error: unknown): boolean => error instanceof Failure && error.code === "CONTENT_STORE_UNAVAILABLE";
