import { Validator } from "@seriousme/openapi-schema-validator";
import { expect, test } from "vitest";
import { z } from "zod";
import * as delivery from "../delivery.ts";
import { ERRORS } from "../errors.ts";
import { EVENT_TYPES } from "../lists.ts";
import { problemSchema } from "../problem.ts";
import { webhookEvent } from "../webhook-event.ts";
import { openapiDocument } from "./document.ts";
import { examplesAt } from "./examples.ts";
import type { OpenapiDocument } from "./types.ts";

const PUBLIC_URL = "https://stet.example";
const document = openapiDocument(PUBLIC_URL);
type Answer = { headers?: object; content?: Record<string, { examples?: object }> };
/** Follows a reference within the document. */
function resolved(part: object): Answer {
  if (!("$ref" in part)) return part;
  return String(part.$ref)
    .slice(2)
    .split("/")
    .reduce<unknown>((found, name) => (found as Record<string, unknown>)[name], document) as Answer;
}
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
);

test("it is a valid OpenAPI 3.1 document", async () => {
  const validator = new Validator();
  const result = await validator.validate(structuredClone(document) as unknown as Record<string, unknown>);
  expect(result.errors).toBeUndefined();
  expect(result.valid).toBe(true);
  expect(validator.version).toBe("3.1");
});

test("every reference leads somewhere, and every component is used", () => {
  const used = new Set<string>();
  const walk = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [key, entry] of Object.entries(value)) {
      if (key === "$ref") used.add(String(entry));
      else walk(entry);
    }
  };
  walk(document);
  const there = Object.entries(document.components).flatMap(([part, entries]) =>
    Object.keys(entries).map((name) => `#/components/${part}/${name}`),
  );
  expect([...used].filter((ref) => !there.includes(ref))).toEqual([]);
  const unused = there.filter((ref) => !used.has(ref));
  // A key is named by its scheme, and an address that does not exist belongs to no operation.
  expect(unused).toEqual(["#/components/securitySchemes/projectKey", "#/components/examples/ROUTE_NOT_FOUND"]);
});

test("every operation has an id of its own, a summary, examples and the rate headers on each answer", () => {
  expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(operations.length);
  for (const { name, operation } of operations) {
    expect(operation.summary, name).not.toBe("");
    for (const [status, given] of Object.entries(operation.responses)) {
      const response = resolved(given);
      expect(Object.keys(response.headers ?? {}), `${name} ${status}`).toEqual(
        expect.arrayContaining(["X-Request-Id", "RateLimit", "RateLimit-Policy"]),
      );
      if (status === "429" || status === "503") expect(Object.keys(response.headers ?? {})).toContain("Retry-After");
      for (const media of Object.values(response.content ?? {}))
        if (name !== "GET /openapi.json" || status !== "200") expect(media.examples, `${name} ${status}`).toBeDefined();
    }
  }
});

test("every example of an error is a problem with the status and address of its code", () => {
  for (const [code, { value }] of Object.entries(document.components.examples)) {
    const problem = problemSchema.parse(value);
    expect(problem).toMatchObject({ code, status: ERRORS[problem.code].status, type: `${PUBLIC_URL}/docs/errors#${code}` });
  }
  for (const { name, operation } of operations) {
    for (const [status, given] of Object.entries(operation.responses)) {
      const response = resolved(given);
      for (const code of Object.keys(response.content?.["application/problem+json"]?.examples ?? {})) {
        expect(ERRORS[code as keyof typeof ERRORS].status, `${name} ${code}`).toBe(Number(status));
      }
    }
  }
});

test("the examples are what the schemas allow", () => {
  const one = <S extends z.ZodType>(schema: S) => z.strictObject({ data: schema });
  const page = <S extends z.ZodType>(schema: S) => z.strictObject({ data: z.array(schema), pagination: delivery.pagination });
  const schemas = {
    post: one(delivery.publicPost),
    posts: page(delivery.postSummary),
    category: one(delivery.listedCategory),
    categories: page(delivery.listedCategory),
    tag: one(delivery.listedTag),
    tags: page(delivery.listedTag),
    author: one(delivery.listedAuthor),
    authors: page(delivery.listedAuthor),
    media: one(delivery.publicMedia),
    mediaList: page(delivery.publicMedia),
    search: page(delivery.searchHit),
    postViews: one(delivery.postViews),
    mostRead: page(delivery.mostRead),
    changes: delivery.changes,
    redirects: page(delivery.redirect),
    website: one(delivery.publicWebsite),
    event: webhookEvent,
    preview: one(delivery.previewPost),
    collect: delivery.collectBody,
  } satisfies Record<keyof ReturnType<typeof examplesAt>, z.ZodType>;
  const examples = examplesAt(PUBLIC_URL);
  for (const [name, schema] of Object.entries(schemas)) {
    expect(schema.safeParse(examples[name as keyof typeof examples]).error?.issues, name).toBeUndefined();
  }
});

test("every event is described as a webhook, with its signature and a body that the schema allows", () => {
  expect(Object.keys(document.webhooks)).toEqual([...EVENT_TYPES, "webhook.test"]);
  for (const [type, { post }] of Object.entries(document.webhooks)) {
    expect(post.parameters?.map((parameter) => "name" in parameter && parameter.name)).toContain("Service-Signature");
    const example = post.requestBody?.content["application/json"]?.examples?.["example"];
    const { value } = example as { value: unknown };
    expect(webhookEvent.parse(value).type).toBe(type);
  }
});

test("objects are open, because the version grows by addition", () => {
  const text = JSON.stringify(document satisfies OpenapiDocument);
  expect(text).not.toContain('"additionalProperties":false');
  expect(text).not.toContain("9007199254740991");
});
