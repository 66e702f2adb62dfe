import { openapiDocument, type OpenapiParameter } from "@stet/contract";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readRoutes } from "#delivery/read-routes";
import { createCollector } from "#delivery/collect";
import { registry } from "#operations/registry";
import { seedWebsite } from "#operations/sample/seed-website";
import { closedAtEnd } from "#test/closed-at-end";
import { deliveryServices, makeKey, startDelivery } from "#test/delivery-node";
import { openTestServices } from "#test/services";
import { collectRoute } from "./collect.ts";

/** The document and the service agree about every value: what the one allows the other takes, what it forbids is a 400. */

const services = closedAtEnd(await openTestServices());
const tenant = await services.makeTenant();
await services.call(seedWebsite, tenant.actor, { websiteId: tenant.website.id, posts: 2 });
const { version } = await services.call(registry.get_website, tenant.actor, { websiteId: tenant.website.id });
await services.call(registry.update_website, tenant.actor, {
  websiteId: tenant.website.id,
  expectedVersion: version,
  settings: { publicUrl: "https://example.com/blog" },
});
const key = await makeKey(services, tenant);
const collector = closedAtEnd(createCollector(deliveryServices(services), { onTrouble: services.onTrouble }));
const node = closedAtEnd(await startDelivery(services, { readRoutes, publicRoutes: [collectRoute(collector)] }));

const document = openapiDocument("https://stet.test");
const ajv = new Ajv2020({ strict: false });
const schemaOf = (schema: object) => ajv.compile({ ...schema, components: document.components });

const parametersOf = (path: string): readonly OpenapiParameter[] =>
  (document.paths[path]?.get?.parameters ?? []).map((parameter) =>
    "$ref" in parameter ? document.components.parameters[parameter.$ref.split("/").at(-1)!]! : parameter,
  );

/** The value as the document means it: numbers and booleans are sent as JSON writes them. */
function meant(value: string, { schema }: OpenapiParameter): unknown {
  if (schema["type"] === "integer" && String(Number(value)) === value) return Number(value);
  if (schema["type"] === "boolean" && (value === "true" || value === "false")) return value === "true";
  return value;
}

/** What has the form of a cursor may still be none of ours, or of another list: no document can say that. */
const isUnknowable = (value: string, code: string | null): boolean => code === "INVALID_CURSOR" && /^[\w-]{1,4096}$/.test(value);

const WORDS = "a A 0 1 05 100 101 -1 1e2 1.5 true false TRUE null name title -title -createdAt html markdown 7d all ä 🙂 a/b .. % + =";
const BLANKS = ["", " ", "\t", "\u00a0", "\ufeff", "a b", "a\u0000b", "\u0000"];
const LONG = [200, 201].flatMap((count) => ["x".repeat(count), "🙂".repeat(count), ` ${"x".repeat(count - 2)} `]);
const CURSORS = ["e".repeat(4_096), "e".repeat(4_097), "eyJ2IjoxfQ", "eyJ2IjoxfQ==", "no-such-thing", "post_01h455vb4pex5vsknk084sn02q"];
const NOTABLE = [...WORDS.split(" "), ...BLANKS, ...LONG, ...CURSORS];
const values = fc
  .oneof(fc.constantFrom(...NOTABLE), fc.string({ unit: "binary", maxLength: 8 }), fc.integer({ min: -2, max: 103 }).map(String))
  .filter((value) => value.isWellFormed());

async function expectAgreed(path: string, parameter: OpenapiParameter, isValid: (value: unknown) => unknown, value: string): Promise<void> {
  const isAllowed = isValid(meant(value, parameter));
  const others = path === "/blog/search" && parameter.name !== "q" ? "q=the&" : "";
  services.pass(1_000);
  const response = await node.get(`${path}?${others}${parameter.name}=${encodeURIComponent(value)}`, key);
  const { code = null } = response.status === 200 ? {} : ((await response.json()) as { code: string });
  if (isUnknowable(value, code) && isAllowed) return;
  expect([response.status, code], `${path}?${parameter.name}=${JSON.stringify(value)}`).toEqual(
    isAllowed ? [200, null] : [400, expect.any(String)],
  );
}

const withQuery = readRoutes
  .filter(({ path }) => !path.includes("{"))
  .flatMap(({ path }) =>
    parametersOf(path)
      .filter((parameter) => parameter.in === "query")
      .map((parameter) => ({ path, parameter })),
  );

test.each(withQuery)("$path takes exactly the values of $parameter.name that the document allows", async ({ path, parameter }) => {
  const isValid = schemaOf(parameter.schema);
  const agreed = fc.asyncProperty(values, (value) => expectAgreed(path, parameter, isValid, value));
  // All of them once; elsewhere it is the same parameter of the document, and what matters is that it is the same of the service.
  const isFirst = withQuery.find((one) => one.parameter === parameter)?.path === path;
  await fc.assert(agreed, isFirst ? { numRuns: NOTABLE.length + 12, examples: NOTABLE.map((value) => [value]) } : { numRuns: 12 });
});

const bodies = fc.oneof(
  fc.constantFrom("", "{}", "null", "[]", '"x"', "x", "{", '{"website":1}', '{"website":"site_x","post":"a"}'),
  fc
    .record({ website: fc.constantFrom(tenant.website.id, "x"), post: fc.constantFrom("a-slug", "A", "", null) })
    .map((body) => JSON.stringify(body)),
  fc.json(),
);

test("a view is taken as JSON and as text exactly as the document allows", async () => {
  const { content } = document.paths["/collect"]!.post!.requestBody!;
  const isText = schemaOf(content["text/plain"]!.schema);
  const isView = schemaOf(content["application/json"]!.schema);
  const contained = (content["text/plain"]!.schema as { contentMediaType?: string; contentSchema?: object }).contentSchema;
  expect(contained).toEqual(content["application/json"]!.schema);
  await fc.assert(
    fc.asyncProperty(bodies, fc.constantFrom("text/plain", "application/json"), async (body, type) => {
      services.pass(1_000);
      const answer = await fetch(`${node.url}/collect`, { method: "POST", headers: { "Content-Type": type }, body });
      const isAllowed = isView(parsed(body)) && (type === "application/json" || isText(body));
      expect(answer.status, `${type}: ${body}`).toBe(isAllowed ? 204 : 400);
    }),
    { numRuns: 60 },
  );
});

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
