import fc from "fast-check";
import { expect, test } from "vitest";
import { closedAtEnd } from "#test/closed-at-end";
import { sendRaw } from "#test/delivery-node";
import { freshAddress } from "./request.ts";
import { openService } from "./service.ts";
import { makeTwoTenants, MARK } from "./two-tenants.ts";

const service = closedAtEnd(await openService());
const { mine } = await makeTwoTenants(service);

test("any headers, method and path over a raw socket: an answer below 500 or a closed connection, and the node goes on", async () => {
  const printable = fc.string({ unit: fc.constantFrom(..."abcXYZ019-_.,;=*/\"'()<>@[]{}:\\ \t!#$%&+^`|~é") });
  const token = fc.string({ unit: fc.constantFrom(..."abcdefXYZ-_!#$%&'*+.^`|~019"), minLength: 1, maxLength: 20 });
  const header = fc.oneof(
    fc.tuple(token, printable),
    fc.tuple(
      fc.constantFrom(
        "Accept",
        "Accept-Encoding",
        "If-None-Match",
        "Origin",
        "Range",
        "If-Modified-Since",
        "Cookie",
        "Content-Type",
        "X-Forwarded-For",
        "X-Request-Id",
        "Forwarded",
        "Via",
        "Expect",
        "Upgrade",
        "TE",
        "Authorization",
        "X-HTTP-Method-Override",
        "Host",
        "Connection",
      ),
      fc.oneof(
        printable,
        fc.constantFrom(
          "*",
          "br;q=9",
          'W/"',
          '"*"',
          "bytes=0-1",
          "100-continue",
          "h2c",
          "websocket",
          "Bearer",
          "Bearer ",
          "null",
          "identity;q=0,*;q=0",
          "text/markdown",
          "gzip,".repeat(300),
        ),
      ),
    ),
  );
  const path = fc.oneof(
    fc.constantFrom(
      "/v1/blog/posts",
      "/v1/blog/posts/x",
      "/v1/collect",
      "/v1/openapi.json",
      "/v1/preview/x",
      "*",
      "http://other.example/v1/blog/posts",
      "/v1/../v1/blog/posts",
      "/v1/%2e%2e/metrics",
      "//v1/blog/posts",
      "/v1/blog/posts/%00",
      "/v1/blog/posts/%",
      "/v1/blog/posts/%ff%fe",
      "/v1/blog/posts/%c0%ae",
      "/v1/blog/posts?%",
      "/v1/blog/posts?limit=%00",
      "/v1/blog/posts#x",
      `/v1/blog/posts/${"a".repeat(8_000)}`,
      `/v1/${"a/".repeat(3_000)}`,
      "/v1/blog/posts;a=b",
      "/v1\\blog\\posts",
      "/v1/blog/posts/..%2f..%2fmetrics",
      "/v1/blog/posts/%252e",
    ),
    printable.map((text) => `/v1/${text.replaceAll(/[\s]/g, "")}`),
  );
  const method = fc.oneof(
    fc.constantFrom("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "CONNECT", "PRI", "get", "QUERY", "M-SEARCH"),
    token,
  );
  await fc.assert(
    fc.asyncProperty(method, path, fc.array(header, { maxLength: 6 }), async (verb, target, headers) => {
      const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
      const raw = `${verb} ${target} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${freshAddress()}\r\nAuthorization: Bearer ${mine.key}\r\nConnection: close\r\n${lines}\r\n`;
      const answer = await sendRaw(service.port, Buffer.from(raw, "latin1"));
      const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1] ?? 0);
      expect([raw, status < 500]).toEqual([raw, true]);
      expect(answer).not.toContain(MARK);
    }),
    { numRuns: 400 },
  );
  expect((await mine.get("/blog/posts")).status).toBe(200);
});
