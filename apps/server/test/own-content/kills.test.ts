import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { findFaketime } from "#test/faketime";
import { ferretdb, mongoJavaServer, type MongoServer } from "#test/mongodb";
import { withPart } from "#test/parts";
import { sumUp } from "#worker/moving/sum-up";
import { expectAsTold } from "./as-told.ts";
import { openLivingNodes } from "./living-nodes.ts";
import { openMoving } from "./moving.ts";

const ROUNDS = Number(process.env.STET_TEST_KILLS ?? (process.env.STET_SOAK ? 200 : 20));
/** How many kills there are for one of a node, which costs seconds to start; and after how many the content arrives. */
const KILLS_A_NODE = process.env.STET_SOAK ? 2 : 5;
const KILLS_A_MOVE = process.env.STET_SOAK ? 5 : 10;
/** Between two kills, and while a database is gone, at most. */
const MOST_MILLIS = 500;
vi.setConfig({ testTimeout: process.env.STET_SOAK ? 45 * 60_000 : 480_000, hookTimeout: 60_000 });

async function open(server: MongoServer) {
  const moving = await openMoving(server);
  const tenant = await moving.nodes[0].makeTenant();
  const living = await openLivingNodes(moving, tenant);
  onTestFinished(async () => {
    await living.close();
    await moving.close();
  });
  return { moving, living, services: moving.nodes[0], websiteId: tenant.website.id };
}

for (const part of process.env.STET_SOAK ? [mongoJavaServer, ferretdb] : [mongoJavaServer])
  withPart(part.name, part.find(), (server) => {
    test(`${ROUNDS} times a node or the database is killed, or a node stopped (fault 8), while content moves there and back and people write: nothing is lost, doubled or changed`, async () => {
      const { moving, living, services, websiteId } = await open(server);
      const { at } = living;
      living.start();
      living.start();
      await living.untilSaved(5);
      for (let round = 1; round <= ROUNDS; round++) {
        // A kill is one in the middle of a move: not while all rest because the database was away.
        await living.untilMoving();
        await delay(Math.random() * MOST_MILLIS);
        if (round % (2 * KILLS_A_NODE) === 0) await living.stopOne();
        else if (round % KILLS_A_NODE === 0) {
          living.start();
          await living.killOne();
        } else await moving.killDatabase(Math.random() * MOST_MILLIS);
        await living.untilSaved(2);
        const { epoch } = await at.home();
        if (round % KILLS_A_MOVE === 0) await living.until(async () => (await at.home()).epoch > epoch, "the content had moved");
      }
      await living.bringHome();
      const { epoch } = await at.home();
      const report = await expectAsTold(services, websiteId, living.nodes);
      expect(report.saves).toBeGreaterThan(2 * ROUNDS);
      if (process.env.STET_SOAK)
        console.log(`${part.name}: ${ROUNDS} kills, ${living.nodes.length - 2} of nodes, ${epoch} switches, ${JSON.stringify(report)}`);

      // Nobody writes any more: moved once again, both sides are the same. What the killed nodes left is finished first, so that this is a
      // whole move. A busy machine may need several attempts.
      const toItsEnd = async () => {
        const move = async () => (await services.platform.moves.get(websiteId, "content"))!;
        await expect
          .poll(async () => (await move()).state !== "running" || (await at.finish()).state, { timeout: 120_000 })
          .not.toBe("running");
        if ((await move()).state === "failed") await living.removeStrays(await move());
        else expect(await move()).toMatchObject({ state: "done", error: null });
      };
      await toItsEnd();
      while ((await at.home()).kind === "managed") {
        await at.call("connect_own_database", { url: living.url });
        await at.call("activate_own_database");
        await toItsEnd();
      }
      // Two in sixty stops of a node: more of them would be another fault.
      expect(living.strays()).toBeLessThanOrEqual(ROUNDS / 5);
      const website = (await services.platform.websites.get(websiteId))!;
      expect(await services.contents.withContent(website, (own) => sumUp(own, websiteId))).toEqual(
        await sumUp(services.contents.managed, websiteId),
      );
    });
  });

withPart(mongoJavaServer.name, mongoJavaServer.find(), (server) => {
  withPart("libfaketime", findFaketime(), (wrongBy) => {
    test("fault 9: nodes whose clocks are five minutes ahead and behind write and move content, and nothing is lost or has a wrong time", async () => {
      const { living, services, websiteId } = await open(server);
      living.start(wrongBy("+5m"));
      living.start(wrongBy("-5m"));
      await living.until(() => living.nodes.every(({ told }) => told.length > 8), "both had written");
      const began = Date.now();
      await living.bringHome();
      expect((await living.at.home()).epoch).toBeGreaterThanOrEqual(2);
      await expectAsTold(services, websiteId, living.nodes);
      const times = living.nodes.flatMap(({ told }) => told.flatMap(({ createdAt }) => (createdAt ? [Date.parse(createdAt)] : [])));
      for (const time of times) expect(Math.abs(time - began)).toBeLessThan(4 * 60_000);
    });
  });
});
