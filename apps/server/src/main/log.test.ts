import { expect, test } from "vitest";
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

test("a person at a terminal reads plain text, with the same values hidden", () => {
  const written = capture((log) => log.warn({ requestId: "req_1", token: "hunter2", err: new Error("broken") }, "slow"), true);
  expect(written).toMatch(/^\d\d:\d\d:\d\d warn {2}slow {2}requestId=req_1 token=\[hidden\]\nError: broken\n {4}at /);
});

test("a line without facts ends after its message", () => {
  expect(readable('{"level":"info","time":"2026-08-01T10:11:12.000Z","msg":"ready"}')).toBe("10:11:12 info  ready\n");
});
