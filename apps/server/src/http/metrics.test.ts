import { afterAll, beforeAll, expect, test } from "vitest";
import { type DeliveryNode, makeKey, startDelivery } from "#test/delivery-node";
import { openTestServices, type TestServices } from "#test/services";
import { createDispatcher } from "./dispatcher.ts";
import { createRates } from "#usage/rates/rates";
import { createMetrics, createMetricsText } from "./metrics.ts";
import { type HttpServer, startHttpServer } from "./server.ts";

let services: TestServices;
let node: DeliveryNode;
let server: HttpServer;
beforeAll(async () => {
  services = await openTestServices();
  node = await startDelivery(services);
  const log = { debug() {}, info() {}, error() {} };
  server = await startHttpServer({
    host: "127.0.0.1",
    port: 0,
    publicUrl: "https://stet.test",
    handle: createDispatcher({
      publicUrl: "https://stet.test",
      log,
      checks: [],
      isStopping: () => false,
      routes: [
        {
          path: "/metrics",
          handle: createMetrics(
            createMetricsText({
              delivery: node.delivery.metrics,
              disk: services.disk.read,
              clockOffsetMillis: () => 0,
              rates: () => createRates().state,
            }),
          ),
        },
      ],
      fallback: (_request, response) => void response.writeHead(404).end(),
    }),
  });
});
afterAll(async () => {
  await server.stop(0);
  await node.stop();
  await services.close();
});

test("/metrics tells requests by route and status class, cache, refusals, lag and memory, in the form Prometheus reads", async () => {
  const tenant = await services.makeTenant({ plan: "free" });
  const key = await makeKey(services, tenant);
  for (let n = 0; n < 3; n++) await node.get("/blog/posts", key);
  await node.get("/blog/posts/a-secret-name", key);
  await node.get("/blog/posts/missing", key);
  await node.get("/nothing");
  await Promise.all(Array.from({ length: 60 }, () => node.get("/blog/posts/missing", key)));
  const response = await fetch(`http://127.0.0.1:${server.port}/metrics`);
  expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  const text = await response.text();
  const lines = text.split("\n");
  for (const line of lines) expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+(\{\w+="[^"]*"(,\w+="[^"]*")*\})? -?\d+(\.\d+)?|)$/);
  expect(lines).toContain('stet_delivery_requests_total{route="/blog/posts",status="2xx"} 3');
  expect(lines).toContain('stet_delivery_requests_total{route="/blog/posts/{slugOrId}",status="2xx"} 1');
  expect(lines).toContain('stet_delivery_requests_total{route="(none)",status="4xx"} 1');
  // The list, the post and the missing one are each asked for once; that one is missing is remembered as well.
  expect(lines).toContain("stet_disk_level 0");
  expect(lines).toContain("stet_disk_free_bytes 1000000000000");
  expect(lines).toContain("stet_delivery_cache_misses_total 3");
  expect(Number(/stet_delivery_cache_hits_total (\d+)/.exec(text)?.[1])).toBeGreaterThan(20);
  expect(text).toMatch(/stet_delivery_refusals_total\{limit="address"\} 15\n/);
  expect(text).toMatch(/stet_delivery_cache_bytes [1-9]\d*\n/);
  expect(text).toMatch(/stet_event_loop_lag_seconds\{quantile="0.99"\} \d/);
  expect(text).toMatch(/process_resident_memory_bytes [1-9]\d+\n/);
  // It names routes, never what was asked for or who asked.
  expect(text).not.toMatch(/a-secret-name|stet_[A-Za-z0-9]{40}|site_|ws_/);
});

test("only reading exists", async () => {
  const refused = await fetch(`http://127.0.0.1:${server.port}/metrics`, { method: "POST" });
  expect(refused.status).toBe(405);
  const head = await fetch(`http://127.0.0.1:${server.port}/metrics`, { method: "HEAD" });
  expect(Number(head.headers.get("content-length"))).toBeGreaterThan(100);
  expect(await head.text()).toBe("");
});
