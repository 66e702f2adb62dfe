import { beforeAll, expect, test } from "vitest";
import type { z } from "zod";
import { encodeCursor } from "#domain/cursor";
import { Failure } from "#domain/failure";
import { execute } from "#operations/kernel/execute";
import type { Operation } from "#operations/kernel/operation";
import { type OperationName, registry } from "#operations/registry";
import { closedAtEnd } from "#test/closed-at-end";
import { openTestServices, type Tenant } from "#test/services";
import { furnish } from "./furnish.ts";
import { INPUTS, type Place, type Things } from "./operation-inputs.ts";

const services = closedAtEnd(await openTestServices({ fetcher: { get: async () => ({ error: "not in this test" }) } }));
let tenant: Tenant & { place: Place; things: Things };
beforeAll(async () => {
  const made = await services.makeTenant();
  tenant = { ...made, ...(await furnish(services, made)) };
});

let deep: unknown = "end";
for (let depth = 0; depth < 20_000; depth++) deep = [deep];

/** What no store takes, what no number column holds, and what exhausts a stack. */
const HOSTILE: readonly unknown[] = [
  "\u0000",
  "a\u0000b",
  "\ud800",
  "'; --",
  "%",
  "x".repeat(1_500_000),
  -1,
  2 ** 31,
  2 ** 53,
  1e308,
  "0000-01-01T00:00:00.000Z",
  "9999-12-31T23:59:59.999Z",
  ["\u0000"],
  { "\u0000": "\u0000" },
  JSON.parse(`{"__proto__":{"a":1}}`),
  deep,
];

const CURSORS = ["-editedAt", "-at", "-createdAt", "-rank", "name", "thing"].flatMap((sort) =>
  [
    { key: "\u0000", id: "\u0000" },
    { key: "no time", id: "x" },
    { key: "0000-01-01T00:00:00.000Z", id: "x" },
  ].map((position) => encodeCursor(sort, position)),
);

/** Refusals that blame us and not the input. */
const OURS = new Set(["INTERNAL", "UNAVAILABLE", "CONTENT_STORE_UNAVAILABLE"]);

/** Changes nothing for those after it. */
const LASTING: readonly OperationName[] = ["delete_workspace", "delete_website", "leave_workspace", "transfer_ownership", "create_account"];
const names = (Object.keys(registry) as OperationName[]).filter((name) => !LASTING.includes(name));

test.each(names)("%s refuses what it cannot take, in any of its fields, and never breaks", async (name) => {
  const operation = registry[name] as unknown as Operation;
  const { shape } = operation.input as unknown as z.ZodObject;
  const broken: string[] = [];
  for (const field of Object.keys(shape)) {
    for (const value of field === "cursor" ? [...HOSTILE, ...CURSORS] : HOSTILE) {
      const input = { ...INPUTS[name](tenant.place, tenant.things), [field]: value };
      await execute(services, operation, tenant.actor, input).catch((error: unknown) => {
        if (!(error instanceof Failure) || OURS.has(error.code))
          broken.push(`${field} = ${JSON.stringify(value).slice(0, 60)}: ${String(error).slice(0, 200)}`);
      });
    }
  }
  expect(broken).toEqual([]);
});
