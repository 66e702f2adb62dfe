import { Writable } from "node:stream";
import { expect, test } from "vitest";
import { fail } from "#domain/failure";
import { createLog, readable } from "./log.ts";

function capture(write: (log: ReturnType<typeof createLog>) => void, isTTY = false): string {
  let written = "";
  write(createLog("debug", { write: (line) => void (written += line), isTTY }));
  return written;
}

test("values under the names of secrets are never written", () => {
  const hidden = "hunter2";
  const written = capture((log) => {
    log.info({ password: hidden, token: hidden, secret: hidden, apiKey: hidden }, "top");
    log.info({ headers: { authorization: hidden, cookie: hidden, "set-cookie": hidden, "x-api-key": hidden } }, "headers");
    log.info({ request: { headers: { authorization: hidden, cookie: hidden, "set-cookie": hidden } } }, "deep");
    log.info({ config: { databaseUrl: hidden, secrets: [hidden], smtpUrl: hidden } }, "config");
  });
  expect(written).not.toContain(hidden);
  expect(written).toContain("[hidden]");
});

test("an error is written with its stack", () => {
  const [line] = capture((log) => log.error({ err: new Error("broken") }, "failed")).split("\n");
  expect(JSON.parse(line!)).toMatchObject({
    level: "error",
    msg: "failed",
    err: { message: "broken", stack: expect.stringContaining("log.test.ts") as string },
  });
});

test.each([
  ["a database that is away", Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" })],
  ["a statement that was cancelled by its server", Object.assign(new Error("terminating connection"), { code: "57P01" })],
  ["a refusal of ours", fail("UNAVAILABLE", "The database does not answer.")],
  ["what a library refuses", Object.assign(new Error("Invalid email or password"), { name: "APIError", statusCode: 401 })],
])("%s is expected: one line without a stack", (_what, err) => {
  const lines = capture((log) => log.warn({ err }, "not now"))
    .trimEnd()
    .split("\n");
  expect(lines).toHaveLength(1);
  const { err: written } = JSON.parse(lines[0]!) as { err: Record<string, unknown> };
  expect(written).toMatchObject({ message: err.message });
  expect(written).not.toHaveProperty("stack");
});

test("a fault behind a refusal keeps its stack", () => {
  const failure = Object.assign(fail("UNAVAILABLE", "Not now."), { cause: new TypeError("x is not a function") });
  expect(capture((log) => log.warn({ err: failure }, "hidden"))).toContain("log.test.ts");
});

test("a person at a terminal reads plain text, with the same values hidden", () => {
  const written = capture((log) => log.warn({ requestId: "req_1", token: "hunter2", err: new Error("broken") }, "slow"), true);
  expect(written).toMatch(/^\d\d:\d\d:\d\d warn {2}slow {2}requestId=req_1 token=\[hidden\]\nError: broken\n {4}at /);
});

test("a line without facts ends after its message", () => {
  expect(readable('{"level":"info","time":"2026-08-01T10:11:12.000Z","msg":"ready"}')).toBe("10:11:12 info  ready\n");
});

test("a log that cannot be written, as on a full disk, ends nobody", async () => {
  const { promise: failed, resolve } = Promise.withResolvers<void>();
  const full = new Writable({
    write(_line, _encoding, done) {
      done(Object.assign(new Error("no space left on device"), { code: "ENOSPC" }));
      setImmediate(resolve);
    },
  });
  createLog("info", full).info("nobody reads this");
  // Without a listener the error would have ended the process by now.
  await failed;
});
