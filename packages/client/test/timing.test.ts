import { expect, test } from "vitest";
import { createClient } from "../src/client.ts";
import type { StetError } from "../src/index.ts";
import { createPace } from "../src/pace.ts";
import { REAL_TIME, type Time } from "../src/time.ts";
import { page, problem, silent, stalled } from "./scripted-answers.ts";
import { serve } from "./scripted-server.ts";

const clientOf = (url: string, options = {}) => createClient({ apiKey: "stet_key", url, ...options });
const errorOf = (work: Promise<unknown>): Promise<StetError> =>
  work.then(
    () => Promise.reject(new Error("no error")),
    (error: StetError) => error,
  );

test.each([
  ["headers", silent],
  ["the body", stalled],
])("the timeout covers %s", async (_name, script) => {
  const server = await serve(script);
  const error = await errorOf(clientOf(server.url, { timeoutMs: 50, retries: 0 }).posts.list());
  expect(error).toMatchObject({ code: "TIMEOUT", status: 0 });
});

test.each([
  ["before it begins", "before", silent],
  ["in the moment it begins", "at once", silent],
  ["while nothing came", "on request", silent],
  ["while the body comes", "on request", stalled],
  ["while it waits to try again", "on request", problem(503, "UNAVAILABLE", { "Retry-After": "30" })],
] as const)("aborting %s ends the call right away, and nothing is asked again", async (_name, when, script) => {
  const controller = new AbortController();
  const reason = new Error("enough");
  const server = await serve(script);
  if (when === "before") controller.abort(reason);
  const asking = errorOf(clientOf(server.url).posts.list({}, { signal: controller.signal }));
  if (when === "at once") controller.abort(reason);
  if (when === "on request") {
    await expect.poll(async () => (await server.asked()).length).toBe(1);
    setTimeout(() => controller.abort(reason), 20);
  }
  const error = await asking;
  expect(error).toMatchObject({ code: "ABORTED", status: 0, cause: reason });
  expect(await server.asked()).toHaveLength(when === "on request" ? 1 : 0);
});

test.each([
  ["the cache is asked", { cache: { get: () => new Promise<never>(() => {}), set: () => {} } }],
  ["an implementation of fetch that knows no signals answers", { fetch: () => new Promise<never>(() => {}) }],
])("abort and timeout hold while %s", async (_name, options) => {
  const server = await serve(page());
  const controller = new AbortController();
  const asking = errorOf(clientOf(server.url, options).posts.list({}, { signal: controller.signal }));
  setTimeout(() => controller.abort("enough"), 5);
  expect(await asking).toMatchObject({ code: "ABORTED", cause: "enough" });
  expect(await errorOf(clientOf(server.url, { ...options, timeoutMs: 20, retries: 0 }).posts.list())).toMatchObject({ code: "TIMEOUT" });
  expect(await server.asked()).toEqual([]);
});

test("aborting one that waits for the bucket to fill ends it, and the next one has its turn", async () => {
  const spent = { RateLimit: '"burst";r=0;t=50', "RateLimit-Policy": '"burst";q=50;w=50' };
  const server = await serve(page(["1"], null, spent), page(["2"], null, spent));
  const client = clientOf(server.url, { concurrency: 1 });
  await client.posts.list();
  const controller = new AbortController();
  const waiting = errorOf(client.posts.list({}, { signal: controller.signal }));
  const next = client.posts.list();
  setTimeout(() => controller.abort(), 5);
  expect((await waiting).code).toBe("ABORTED");
  expect((await server.asked()).length).toBe(1);
  expect((await next).items).toEqual(["2"]);
});

test("a turn that is handed on is not given to somebody else who asks in that moment", async () => {
  const pace = createPace(1, REAL_TIME);
  const leave = await pace.enter(undefined);
  let entered = 0;
  const count = (enter: Promise<() => void>) => enter.then((out) => ((entered += 1), out));
  const waiting = count(pace.enter(undefined));
  leave();
  const late = count(pace.enter(undefined));
  const leaveToo = await waiting;
  await new Promise((resolve) => setTimeout(resolve));
  expect(entered).toBe(1);
  leaveToo();
  (await late)();
});

test("aborting one that waits for its turn leaves the turn to the others", async () => {
  const later = (item: string) => ({ ...page([item]), way: "later" as const });
  const server = await serve(later("1"), later("3"));
  const asked = async () => (await server.asked()).length;
  const client = clientOf(server.url, { concurrency: 1 });
  const controller = new AbortController();
  const first = client.posts.list();
  const second = errorOf(client.posts.list({}, { signal: controller.signal }));
  const third = client.posts.list();
  await expect.poll(asked).toBe(1);
  controller.abort();
  expect((await second).code).toBe("ABORTED");
  await server.release();
  expect((await first).items).toEqual(["1"]);
  await expect.poll(asked).toBe(2);
  await server.release();
  expect((await third).items).toEqual(["3"]);
});

test("no more requests are on their way than `concurrency`", async () => {
  const server = await serve({ ...page(), way: "later" });
  const client = clientOf(server.url, { concurrency: 3 });
  const all = Promise.all(Array.from({ length: 20 }, (_, n) => client.posts.list({ limit: n + 1 })));
  for (let answered = 0; answered < 20; answered++) {
    await expect.poll(async () => (await server.asked()).length).toBe(Math.min(20, answered + 3));
    await server.release();
  }
  await all;
  expect([await server.most(), (await server.asked()).length]).toEqual([3, 20]);
});

test("a spent bucket is waited for instead of tried, at the rate at which it fills", async () => {
  let now = 0;
  const time: Time = {
    now: () => now,
    async sleep(millis) {
      now += millis;
    },
  };
  const pace = createPace(4, time);
  const left = (r: number, t: number) =>
    new Headers({ RateLimit: `"burst";r=${r};t=${t}, "month";r=9;t=9`, "RateLimit-Policy": '"burst";q=50;w=5' });
  for (let sent = 0; sent < 3; sent++) {
    const leave = await pace.enter(undefined);
    pace.heard(left(2 - sent, 10));
    leave();
  }
  // 48 of 50 were gone and took 10 seconds to come back: about 5 a second.
  expect(now).toBe(0);
  for (let sent = 0; sent < 10; sent++) {
    const leave = await pace.enter(undefined);
    pace.heard(left(0, 10));
    leave();
  }
  expect(now).toBeGreaterThanOrEqual(1_900);
  expect(now).toBeLessThanOrEqual(2_100);
  expect(REAL_TIME.now()).toBeGreaterThan(0);
});
