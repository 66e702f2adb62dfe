import { request } from "node:http";
import { expect, test } from "vitest";
import { closedAtEnd } from "#test/closed-at-end";
import { openDashboardNode } from "#test/dashboard-node";

const node = closedAtEnd(await openDashboardNode({ pages: false }));
const cookie = await node.signIn((await node.makeTenant()).owner);

/** Exactly these headers; `fetch` would not let a program set all of them. */
const send = (method: string, path: string, headers: Record<string, string>, body = "{}") =>
  new Promise<{ status: number; code: unknown }>((resolve, reject) => {
    const outgoing = request(node.url + path, { method, headers: { Cookie: cookie, ...headers } }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (piece: string) => (text += piece));
      answer.on("end", () => {
        const json = answer.headers["content-type"]?.includes("json") && text !== "" ? (JSON.parse(text) as { code?: unknown }) : {};
        resolve({ status: answer.statusCode!, code: json.code });
      });
    });
    outgoing.on("error", reject);
    outgoing.end(method === "GET" ? undefined : body);
  });

const JSON_TYPE = { "Content-Type": "application/json" };
const REFUSED = { status: 403, code: "ORIGIN_NOT_ALLOWED" };

test("a change from another origin is refused, whatever is changed and however it is sent", async () => {
  for (const path of ["/api/rpc/get_account", "/api/auth/sign-out", "/api/setup", "/api/auth/sign-in/email"]) {
    for (const origin of ["https://evil.example", "null", node.url.replace("127.0.0.1", "localhost"), `${node.url}.evil.example`]) {
      expect(await send("POST", path, { ...JSON_TYPE, Origin: origin }), `${path} ${origin}`).toEqual(REFUSED);
    }
  }
  // As a form of another site sends it.
  for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]) {
    expect(await send("POST", "/api/rpc/get_account", { Origin: "https://evil.example", "Content-Type": type })).toEqual(REFUSED);
    expect(await send("POST", "/api/rpc/get_account", { "Content-Type": type }), "an old browser's form").toEqual(REFUSED);
  }
  expect((await send("GET", "/api/session", {})).status).toBe(200);
});

test("from our own origin it is accepted; without Origin, what says it is ours or what no form can send", async () => {
  expect((await send("POST", "/api/rpc/get_account", { ...JSON_TYPE, Origin: node.url })).status).toBe(200);
  expect((await send("POST", "/api/rpc/get_account", JSON_TYPE)).status).toBe(200);
  expect((await send("POST", "/api/rpc/get_account", { ...JSON_TYPE, "Sec-Fetch-Site": "same-origin" })).status).toBe(200);
  for (const site of ["cross-site", "same-site", "none"]) {
    expect(await send("POST", "/api/rpc/get_account", { ...JSON_TYPE, "Sec-Fetch-Site": site })).toEqual(REFUSED);
  }
});

test("no other page reads or starts anything: preflights are not answered, and what another site begins is refused", async () => {
  const preflight = await fetch(`${node.url}/api/rpc/get_account`, {
    method: "OPTIONS",
    headers: { Origin: "https://evil.example", "Access-Control-Request-Method": "POST" },
  });
  expect(preflight.status).toBe(405);
  expect([...preflight.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
  expect(await send("GET", "/api/session", { "Sec-Fetch-Site": "cross-site" })).toEqual(REFUSED);
});
