import { beforeAll, expect, test } from "vitest";
import type { z } from "zod";
import { encodeCursor } from "#domain/cursor";
import { Failure } from "#domain/failure";
import { execute } from "#operations/kernel/execute";
import type { Operation } from "#operations/kernel/operation";
import { type OperationName, registry } from "#operations/registry";
import { closedAtEnd } from "#test/closed-at-end";
import { openTestServices, type Tenant } from "#test/services";
import { fillTenant } from "./fill-tenant.ts";
import { INPUTS, type TenantIds, type Things } from "./operation-inputs.ts";

const services = closedAtEnd(await openTestServices({ fetcher: { get: async () => ({ error: "not in this test" }) } }));
let tenant: Tenant & { ids: TenantIds; things: Things };
beforeAll(async () => {
  const made = await services.makeTenant();
  tenant = { ...made, ...(await fillTenant(services, made)) };
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
      const input = { ...INPUTS[name](tenant.ids, tenant.things), [field]: value };
      await execute(services, operation, tenant.actor, input).catch((error: unknown) => {
        if (!(error instanceof Failure) || OURS.has(error.code))
          broken.push(`${field} = ${JSON.stringify(value).slice(0, 60)}: ${String(error).slice(0, 200)}`);
      });
    }
  }
  expect(broken).toEqual([]);
});

/** Operations whose fields hold fields in turn, everything filled in. */
const NESTED: Partial<Record<OperationName, (things: Things) => Record<string, unknown>>> = {
  create_website: () => ({
    settings: {
      publicUrl: "https://blog.example",
      previewUrl: "https://blog.example/preview",
      title: "Title",
      description: "Description",
      language: "en",
      timeZone: "UTC",
      styleGuide: "Guide",
    },
  }),
  create_key: () => ({ origins: ["blog.example"] }),
  create_term: ({ mediaId, userId }) => ({
    kind: "author",
    profile: { url: "https://blog.example/me", avatarMediaId: mediaId, userId },
  }),
  create_post: () => ({
    seo: { title: "Title", description: "Description", canonicalUrl: "https://blog.example/a", ogImageUrl: "https://blog.example/a.png" },
    fields: { note: "Note", link: "https://blog.example", data: { list: ["a", { b: "c" }] } },
  }),
  connect_tool: () => ({ client: { id: "client", name: "Claude", host: "claude.example", redirectHost: "claude.example" } }),
  set_field_definitions: () => ({
    fieldDefinitions: [{ key: "choice", label: "Choice", type: "select", required: false, help: "Help", options: ["a", "b"] }],
  }),
};

const INSIDE: readonly unknown[] = [...HOSTILE, "https://blog.example/\u0000", "https://blog.example/\ud800", { a: { "\ud800": [deep] } }];

/** The value with each of its parts, at any depth, replaced by each hostile one. */
function* spoiled(value: unknown): Generator<unknown> {
  yield* INSIDE;
  if (typeof value !== "object" || value === null) return;
  for (const [key, part] of Object.entries(value)) {
    for (const bad of spoiled(part)) yield Array.isArray(value) ? value.with(Number(key), bad) : { ...value, [key]: bad };
  }
}

test.each(Object.keys(NESTED) as OperationName[])("%s refuses what it cannot take, however deep it lies", async (name) => {
  const made = await services.makeTenant();
  const { ids, things } = await fillTenant(services, made);
  const fieldDefinitions = (["text", "url", "json"] as const).map((type, nth) => ({
    key: ["note", "link", "data"][nth]!,
    label: type,
    type,
  }));
  const websiteId = made.website.id;
  await services.call(registry.set_field_definitions, made.actor, { websiteId, expectedVersion: 1, fieldDefinitions });
  const inner = NESTED[name]!(things);
  const whole = { ...INPUTS[name](ids, things), ...inner };
  const broken: string[] = [];
  const call = (input: object) => execute(services, registry[name] as unknown as Operation, made.actor, input);
  for (const [field, value] of Object.entries(inner)) {
    for (const bad of spoiled(value)) {
      // Else the version would be refused before anything of the rest is looked at.
      const { version } = await services.call(registry.get_website, made.actor, { websiteId });
      const input = { ...whole, [field]: bad, ...(name === "set_field_definitions" && { expectedVersion: version }) };
      await call(input).catch((error: unknown) => {
        if (!(error instanceof Failure) || OURS.has(error.code)) broken.push(`${field}: ${String(error).slice(0, 200)}`);
      });
    }
  }
  expect(broken).toEqual([]);
});

/** Texts that no store gets as they were sent. Every other text must be refused with a NUL in it before the operation runs. */
const NEVER_STORED: Readonly<Record<string, string>> = {
  cursor: "is decoded, and refused unless it is one of ours",
  password: "is compared with a hash, or hashed",
  confirmName: "is compared with a name",
  idempotencyKey: "is hashed",
  titleContains: "is folded, which leaves NUL out",
  "list_deliveries title": "is folded, which leaves NUL out",
  origins: "are parsed, and written as origins are",
  url: "is parsed, and written as addresses are",
  address: "is parsed and sealed",
  ca: "is parsed and sealed",
};
const HAS_NUL = /\\u0000/;

test.each(Object.keys(registry) as OperationName[])("%s lets no text with a NUL past its input", (name) => {
  const whole = { ...INPUTS[name](tenant.ids, tenant.things), ...NESTED[name]?.(tenant.things) };
  const operation = registry[name] as unknown as Operation;
  expect(operation.input.safeParse(whole).success).toBe(true);
  const passed: string[] = [];
  for (const field of Object.keys((operation.input as unknown as z.ZodObject).shape)) {
    if (field in NEVER_STORED || `${name} ${field}` in NEVER_STORED) continue;
    for (const value of ["a\u0000b", ...spoiled(whole[field])]) {
      const { data } = operation.input.safeParse({ ...whole, [field]: value });
      const taken = (data as Record<string, unknown> | undefined)?.[field];
      if (HAS_NUL.test(JSON.stringify(taken) ?? "")) passed.push(field);
    }
  }
  expect([...new Set(passed)]).toEqual([]);
});
