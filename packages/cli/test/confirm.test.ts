import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { confirm } from "../src/session/confirm.ts";

function terminalWith(typed: string | null, isTTY = true) {
  const [input, output] = [Object.assign(new PassThrough(), { isTTY }), new PassThrough()];
  if (typed === null) input.end();
  else input.write(typed);
  return { input, output };
}

test.each([
  ["y\n", true],
  ["Yes\n", true],
  [" y \r\n", true],
  ["n\n", false],
  ["\n", false],
  ["yep\n", false],
  ["push\n", false],
  [null, false],
  ["\u0004", false],
])("the answer %j means %s", async (typed, agreed) => {
  const terminal = terminalWith(typed);
  // Ctrl-D at a terminal ends the input.
  if (typed === "\u0004") terminal.input.end();
  expect(await confirm("Push 3? [y/N] ", terminal)).toBe(agreed);
  terminal.output.end();
  expect(await text(terminal.output)).toContain("Push 3? [y/N] ");
});

test("where nobody sits at a terminal nobody is asked, whatever comes in", async () => {
  const terminal = terminalWith("y\n", false);
  expect(await confirm("Push 3? [y/N] ", terminal)).toBeNull();
  expect(terminal.output.readableLength).toBe(0);
});
