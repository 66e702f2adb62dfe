import { expect, test } from "vitest";
import type { GrantId } from "#domain/ids";
import { MINUTE, SECOND } from "#domain/time";
import type { Services } from "../../kernel/services.ts";
import { createLastUses } from "./last-uses.ts";

test("a use is written once a minute, and one that could not be written is not forgotten", async () => {
  let now = Date.UTC(2026, 10, 15, 12);
  const written: string[] = [];
  let isDown = true;
  const uses = createLastUses({
    clock: () => new Date(now),
    connections: {
      async touch(used: readonly { id: string; at: string }[]) {
        if (isDown) throw new Error("down");
        written.push(...used.map(({ id, at }) => `${id} ${at.slice(11, 16)}`));
      },
    } as unknown as Services["connections"],
    // Said when it begins; it is not lost.
    onTrouble: (message) => expect(message).toContain("tried again"),
  });
  for (const id of ["a", "b", "a"] as GrantId[]) uses.add(id);
  now += 10 * SECOND;
  uses.add("a" as GrantId);
  now += MINUTE;
  uses.add("a" as GrantId);
  isDown = false;
  await uses.close();
  expect(written).toEqual(["a 12:01", "b 12:00"]);
});
