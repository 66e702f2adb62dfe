import { logger } from "better-auth";
import { expect, test } from "vitest";
import { logLibraryOutput } from "./log-library-output.ts";
import { createLog } from "./log.ts";

async function printed(print: () => void | Promise<void>): Promise<Record<string, unknown>[]> {
  let written = "";
  const giveBack = logLibraryOutput(createLog("debug", { write: (line) => void (written += line) }));
  try {
    await print();
  } finally {
    giveBack();
  }
  return written
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

test("what a library prints is a line of the log, without colours, stacks or lines of its own", async () => {
  const lines = await printed(() => {
    console.error("\u001b[31m# SERVER_ERROR:\u001b[0m ", new TypeError("x is not a function"));
    console.warn("first\nsecond", { a: { b: 1 } });
    console.log("%s of %d", "one", 2);
    logger.error("Failed to get session", new Error("connect"));
  });
  expect(lines).toMatchObject([
    { level: "error", msg: "# SERVER_ERROR:  TypeError: x is not a function" },
    { level: "warn", msg: "first\nsecond { a: { b: 1 } }" },
    { level: "info", msg: "one of 2" },
    { level: "error", msg: expect.stringMatching(/Failed to get session.*Error: connect$/) as string },
  ]);
});

test("so is what Node warns of", async () => {
  const lines = await printed(async () => {
    process.emitWarning("This is old.", { type: "DeprecationWarning", code: "DEP0000" });
    await new Promise((resolve) => setImmediate(resolve));
  });
  expect(lines).toMatchObject([{ level: "warn", kind: "DeprecationWarning", code: "DEP0000", msg: "This is old." }]);
});
