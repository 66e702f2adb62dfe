import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import { MINUTE, SECOND, millis, timestamp } from "#domain/time";
import type { PostId } from "#domain/ids";
import { registry } from "#operations/registry";
import { findFaketime } from "#test/faketime";
import { withPart } from "#test/parts";
import { openTestDatabase } from "#test/postgres";
import { startService } from "#test/service-process";
import { openTestServices } from "#test/services";

vi.setConfig({ testTimeout: 120_000 });

const CLI = path.resolve(import.meta.dirname, "../src/main/cli.ts");

withPart("libfaketime", findFaketime(), async (wrongBy) => {
  const data = await mkdtemp(path.join(tmpdir(), "stet-clock-"));
  const database = await openTestDatabase();
  const services = await openTestServices({ clock: () => new Date() }, database);
  afterAll(async () => {
    await services.close();
    await rm(data, { recursive: true, force: true });
  });
  const settings = { STET_DATA: data, DATABASE_URL: database.url, STET_SECRET: "one secret that all the nodes of an install share" };

  async function startNode(environment: Record<string, string> = {}) {
    const node = await startService({ ...settings, ...environment });
    onTestFinished(node.stop);
    return node;
  }
  const metricsOf = async (node: Awaited<ReturnType<typeof startNode>>) => (await node.fetch("/metrics")).text();

  /** A post that is due after so many milliseconds, by the clock of this machine, which is the database's. */
  async function schedule(tenant: Awaited<ReturnType<typeof services.makeTenant>>, afterMillis: number) {
    const websiteId = tenant.website.id;
    const post = await services.call(registry.create_post, tenant.actor, { websiteId, title: "Later", body: "Text." });
    const at = timestamp(Date.now() + afterMillis);
    await services.call(registry.schedule_post, tenant.actor, { websiteId, postId: post.id, expectedVersion: post.version, at });
    const status = async () => (await services.contentOf(tenant.website).posts.get(websiteId, post.id as PostId))!.status;
    return { at, status };
  }
  /** Never seen published before its time, and seen soon after. */
  async function untilPublishedOnTime({ at, status }: Awaited<ReturnType<typeof schedule>>) {
    await expect
      .poll(
        async () => {
          const seen = await status();
          if (seen === "published") expect(Date.now()).toBeGreaterThanOrEqual(millis(at));
          return seen;
        },
        { timeout: 30_000, interval: 20 },
      )
      .toBe("published");
  }

  test("a node whose clock is an hour ahead publishes nothing early and runs no jobs; the other publishes on time", async () => {
    const [ahead, right] = await Promise.all([startNode(wrongBy("+1h")), startNode()]);
    const tenant = await services.makeTenant();
    const inHalfAnHour = await schedule(tenant, 30 * MINUTE);
    const soon = await schedule(tenant, 3 * SECOND);
    await untilPublishedOnTime(soon);
    expect(await inHalfAnHour.status()).toBe("scheduled");

    expect(ahead.log()).toMatch(/clock of this machine is 3[56]\d\d(\.\d)? s ahead of the database's.*runs no jobs/);
    expect(right.log()).not.toMatch(/clock of this machine/);
    expect(await metricsOf(ahead)).toMatch(/^stet_clock_offset_seconds 3[56]\d\d(\.\d+)?\n[^]*^stet_jobs_running 0$/m);
    expect(await metricsOf(right)).toMatch(/^stet_clock_offset_seconds -?0(\.\d+)?\n[^]*^stet_jobs_running 1$/m);
    expect((await ahead.fetch("/readyz")).status).toBe(200);

    // Alone, it leaves what is due to whoever comes.
    await right.stop();
    const due = await schedule(tenant, SECOND);
    await expect.poll(() => Date.now(), { timeout: 30_000 }).toBeGreaterThan(millis(due.at) + SECOND);
    expect(await due.status()).toBe("scheduled");
    await startNode();
    await untilPublishedOnTime(due);
  });

  test("a node whose clock is twenty seconds ahead says so, and publishes by the database's clock", async () => {
    const node = await startNode(wrongBy("+20s"));
    expect(node.log()).toMatch(/clock of this machine is (19|20)(\.\d)? s ahead of the database's/);
    expect(await metricsOf(node)).toMatch(/^stet_jobs_running 1$/m);
    await untilPublishedOnTime(await schedule(await services.makeTenant(), 4 * SECOND));
  });

  test("the doctor tells of a wrong clock, and one that keeps jobs from running is a problem", async () => {
    const doctor = (offset: string) =>
      new Promise<{ code: unknown; said: string }>((resolve) => {
        const env = { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...settings, ...wrongBy(offset) };
        execFile(process.execPath, [CLI, "doctor"], { env }, (error, said) => resolve({ code: error?.code ?? 0, said }));
      });
    const [right, off, farOff] = await Promise.all([doctor("+0s"), doctor("-10s"), doctor("-1h")]);
    expect(right).toMatchObject({ code: 0, said: expect.stringContaining("ok Clock: ") as string });
    expect(off).toMatchObject({ code: 0, said: expect.stringMatching(/\? Clock: .*\d s behind the database's/) as string });
    expect(farOff).toMatchObject({ code: 1, said: expect.stringMatching(/!! Clock: .*behind the database's.*runs no jobs/) as string });
  });
});
