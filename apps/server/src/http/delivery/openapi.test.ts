import { openapiDocument } from "@stet/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readRoutes } from "#delivery/read-routes";
import { type DeliveryNode, startDelivery } from "#test/delivery-node";
import { readDescribed } from "#test/openapi";
import { openTestServices, type TestServices } from "#test/services";
import { gzipSync } from "node:zlib";
import { openapiRoute } from "./openapi.ts";
import { viewJsRoute } from "./view-js.ts";

let services: TestServices;
let node: DeliveryNode;
beforeAll(async () => {
  services = await openTestServices();
  node = await startDelivery(services, { publicRoutes: [openapiRoute(services.settings.publicUrl), viewJsRoute()] });
});
afterAll(async () => {
  await node.stop();
  await services.close();
});

const document = openapiDocument("https://stet.test");

test("the document describes every address that keys can read, with the parameters it takes, and no other", () => {
  const named = (path: string) =>
    (document.paths[path]?.get?.parameters ?? [])
      .map((parameter) => ("$ref" in parameter ? document.components.parameters[parameter.$ref.split("/").at(-1)!]! : parameter))
      .filter((parameter) => parameter.in === "query")
      .map((parameter) => parameter.name)
      .toSorted();
  for (const { path, query } of readRoutes) {
    expect(Object.keys(document.paths), path).toContain(path);
    expect(named(path), path).toEqual(Object.keys(query).toSorted());
  }
  const served = readRoutes.map(({ path }) => path);
  const others = Object.keys(document.paths).filter((path) => !served.includes(path));
  expect(others).toEqual(["/preview/{token}", "/collect", "/view.js", "/openapi.json"]);
});

test("{openapi_url} is public: no key, any origin, both limit headers", async () => {
  const response = await node.get("/openapi.json", null, { Origin: "https://anywhere.example" });
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("application/json");
  expect(response.headers.get("access-control-allow-origin")).toBe("*");
  expect(response.headers.get("ratelimit-policy")).toMatch(/^"address"/);
  expect(response.headers.get("ratelimit")).toMatch(/^"address"/);
  expect(await readDescribed(response)).toEqual(JSON.parse(JSON.stringify(document)));
});

test("a copy that is still good is answered with 304, in every encoding", async () => {
  for (const encoding of ["identity", "gzip", "br"]) {
    const first = await node.get("/openapi.json", null, { "Accept-Encoding": encoding });
    expect(first.headers.get("content-encoding")).toBe(encoding === "identity" ? null : encoding);
    expect(await first.json()).toMatchObject({ openapi: "3.1.1" });
    const again = await node.get("/openapi.json", null, { "If-None-Match": first.headers.get("etag")! });
    expect(again.status).toBe(304);
  }
});

test("it takes no parameters and no other method", async () => {
  const unknown = await node.get("/openapi.json?v=2");
  expect(await readDescribed(unknown)).toMatchObject({ code: "UNKNOWN_PARAMETER" });
  const posted = await node.get("/openapi.json", null, {}, "POST");
  expect(posted.status).toBe(405);
  const head = await node.get("/openapi.json", null, {}, "HEAD");
  expect(head.status).toBe(200);
  expect(await head.text()).toBe("");
});

test("{origin}/v1/view.js is public, at most 1 KB, and spends nobody's requests", async () => {
  const before = (await node.get("/view.js", null)).headers.get("ratelimit");
  const response = await node.get("/view.js", null, { Origin: "https://anywhere.example" });
  expect(response.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
  expect(response.headers.get("cross-origin-resource-policy")).toBe("cross-origin");
  expect(response.headers.get("ratelimit")).toBe(before);
  const script = (await readDescribed(response)) as string;
  expect(gzipSync(script, { level: 9 }).length).toBeLessThanOrEqual(1_024);
  const again = await node.get("/view.js", null, { "If-None-Match": response.headers.get("etag")! });
  expect(again.status).toBe(304);
});
