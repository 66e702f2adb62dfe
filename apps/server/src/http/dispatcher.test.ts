import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import type { Problem } from "@stet/contract";
import { afterEach, describe, expect, test } from "vitest";
import { fail, invalid } from "#domain/failure";
import { isId } from "#domain/ids";
import { createDispatcher, type DispatcherOptions, type Handler } from "./dispatcher.ts";
import { createDocs } from "./docs/routes.ts";
import { type HttpServer, startHttpServer } from "./server.ts";

const PUBLIC_URL = "https://blog.example.com";

interface Line {
  readonly level: string;
  readonly message: string;
  readonly facts: Record<string, unknown>;
}

let server: HttpServer | undefined;
afterEach(async () => {
  await server?.stop(0);
  server = undefined;
});

async function serve(
  changes: Partial<DispatcherOptions> & { handle?: Handler } = {},
): Promise<{ url: string; lines: Line[]; port: number }> {
  const lines: Line[] = [];
  const write = (level: string) => (facts: object, message: string) => void lines.push({ level, message, facts: { ...facts } });
  const log = { debug: write("debug"), info: write("info"), error: write("error") };
  const docs = createDocs(PUBLIC_URL);
  const fallback: Handler = (request, response, context) => {
    if (context.path === "/throws") throw new Error("SELECT secret FROM host 10.0.0.7");
    if (context.path === "/where") return void response.end(JSON.stringify({ requestId: context.requestId }));
    if (context.path === "/echo") return pipeline(request, response);
    return docs(request, response, context);
  };
  const handle = createDispatcher({
    publicUrl: PUBLIC_URL,
    log,
    checks: [],
    isStopping: () => false,
    routes: changes.handle ? [{ path: "/raw", handle: changes.handle }] : [],
    fallback,
    ...changes,
  });
  server = await startHttpServer({ host: "127.0.0.1", port: 0, publicUrl: PUBLIC_URL, handle });
  return { url: `http://127.0.0.1:${server.port}`, lines, port: server.port };
}

const problem = async (response: Response): Promise<Problem> => (await response.json()) as Problem;

/** Sends bytes as they are and reads until the server closes. */
async function sendRaw(port: number, bytes: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.write(bytes);
  return text(socket);
}

describe("health", () => {
  test("/healthz answers while the database does not; /readyz says 503 and names what is missing", async () => {
    const { url } = await serve({ checks: [{ name: "the database", run: () => Promise.reject(new Error("10.0.0.7")) }] });
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    const ready = await fetch(`${url}/readyz`);
    expect(ready.status).toBe(503);
    expect(ready.headers.get("content-type")).toBe("application/problem+json");
    expect(Number(ready.headers.get("retry-after"))).toBeGreaterThan(0);
    const body = await problem(ready);
    expect(body).toMatchObject({ code: "UNAVAILABLE", facts: { failing: ["the database"] } });
    expect(JSON.stringify(body)).not.toContain("10.0.0.7");
  });

  test("/readyz is 200 as soon as everything answers", async () => {
    let up = false;
    const { url } = await serve({
      checks: [{ name: "the database", run: () => (up ? Promise.resolve() : Promise.reject(new Error("down"))) }],
    });
    expect((await fetch(`${url}/readyz`)).status).toBe(503);
    up = true;
    const ready = await fetch(`${url}/readyz`);
    expect(ready.status).toBe(200);
    expect(await ready.json()).toEqual({ status: "ready" });
    expect(ready.headers.get("cache-control")).toBe("no-store");
  });

  test("a check that hangs counts as failing after two seconds, and is asked once for many callers", async () => {
    let asked = 0;
    const hang = () => {
      asked += 1;
      return new Promise<void>(() => {});
    };
    const { url } = await serve({ checks: [{ name: "the content store", run: hang }] });
    const answers = await Promise.all([fetch(`${url}/readyz`), fetch(`${url}/readyz`), fetch(`${url}/readyz`)]);
    expect(answers.map((answer) => answer.status)).toEqual([503, 503, 503]);
    expect(asked).toBe(1);
  });

  test("a stopping service is alive but not ready", async () => {
    const { url } = await serve({ isStopping: () => true });
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    const ready = await fetch(`${url}/readyz`);
    expect(ready.status).toBe(503);
    expect(ready.headers.get("connection")).toBe("close");
  });

  test("only GET and HEAD exist; others get 405 with Allow", async () => {
    const { url } = await serve();
    const posted = await fetch(`${url}/readyz`, { method: "POST" });
    expect(posted.status).toBe(405);
    expect(posted.headers.get("allow")).toBe("GET, HEAD");
    const head = await fetch(`${url}/readyz`, { method: "HEAD" });
    expect(head.status).toBe(200);
    expect(await head.text()).toBe("");
  });
});

describe("request ids", () => {
  test("every response carries one: a route, the fallback, errors and unreadable requests alike", async () => {
    const { url, port } = await serve({ handle: (_request, response) => void response.end("raw") });
    for (const path of ["/raw", "/raw/below", "/where", "/nowhere", "/throws", "/healthz"]) {
      const id = (await fetch(url + path)).headers.get("x-request-id") ?? "";
      expect(isId("request", id), path).toBe(true);
    }
    expect(await sendRaw(port, "no http at all\r\n\r\n")).toMatch(/^HTTP\/1\.1 400[\s\S]*X-Request-Id: req_[\s\S]*"code":"MALFORMED_BODY"/);
    expect(await sendRaw(port, `GET / HTTP/1.1\r\nHost: a\r\nX: ${"x".repeat(20_000)}\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 431[\s\S]*X-Request-Id: req_/,
    );
  });

  test("a well-formed incoming id is kept, and is the one in the problem and in the handler", async () => {
    const { url } = await serve();
    const headers = { "X-Request-Id": "trace-1.2_3" };
    const missing = await fetch(`${url}/nowhere`, { headers });
    expect(missing.headers.get("x-request-id")).toBe("trace-1.2_3");
    expect((await problem(missing)).requestId).toBe("trace-1.2_3");
    expect(await (await fetch(`${url}/where`, { headers })).json()).toMatchObject({ requestId: "trace-1.2_3" });
  });

  test.each(["x".repeat(65), "a b", "<script>", "ü"])("a malformed incoming id is replaced: %s", async (given) => {
    const { port } = await serve();
    const sent = httpRequest({
      port,
      host: "127.0.0.1",
      path: "/healthz",
      headers: { "X-Request-Id": Buffer.from(given).toString("latin1") },
    }).end();
    const [response] = (await once(sent, "response")) as [{ headers: Record<string, string>; resume(): void }];
    response.resume();
    expect(response.headers["x-request-id"]).toMatch(/^req_/);
  });
});

describe("errors", () => {
  test("an unknown address is 404 ROUTE_NOT_FOUND as problem+json", async () => {
    const { url } = await serve();
    const response = await fetch(`${url}/nowhere?token=abc`);
    expect(response.status).toBe(404);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(await problem(response)).toMatchObject({
      type: `${PUBLIC_URL}/docs/errors#ROUTE_NOT_FOUND`,
      title: "Route not found",
      status: 404,
      code: "ROUTE_NOT_FOUND",
    });
  });

  test.each(["/throws", "/raw"])("an unexpected error at %s is 500 INTERNAL; its words stay in the log", async (path) => {
    const { url, lines } = await serve({ handle: () => Promise.reject(new Error("SELECT secret FROM host 10.0.0.7")) });
    const response = await fetch(url + path);
    expect(response.status).toBe(500);
    const body = await response.text();
    expect(JSON.parse(body)).toMatchObject({ code: "INTERNAL", title: "Internal" });
    expect(body).not.toMatch(/SELECT|10\.0\.0\.7|\.ts|stack/);
    const logged = lines.find((line) => line.level === "error");
    expect(logged?.facts).toMatchObject({
      requestId: response.headers.get("x-request-id"),
      err: new Error("SELECT secret FROM host 10.0.0.7"),
    });
  });

  test("a refusal keeps its facts, its fields and the headers of its status", async () => {
    let error: Error = fail("VERSION_CONFLICT", "Someone saved a newer version.", { currentVersion: 7 });
    const { url, lines } = await serve({
      handle: () => {
        throw error;
      },
    });
    expect(await problem(await fetch(`${url}/raw`))).toMatchObject({
      status: 409,
      detail: "Someone saved a newer version.",
      facts: { currentVersion: 7 },
    });
    error = invalid([{ field: "title", message: "is too long" }]);
    expect(await problem(await fetch(`${url}/raw`))).toMatchObject({ status: 422, errors: [{ field: "title", message: "is too long" }] });
    error = fail("RATE_LIMITED", "Too many.", { retryAfterSeconds: 2.5 });
    expect((await fetch(`${url}/raw`)).headers.get("retry-after")).toBe("3");
    error = fail("INVALID_API_KEY", "Unknown.");
    expect((await fetch(`${url}/raw`)).headers.get("www-authenticate")).toMatch(/^Bearer/);
    expect(lines.filter((line) => line.level === "error")).toEqual([]);
  });

  test.each(["ECONNREFUSED", "57P01", "08006"])("a database that is away (%s) is 503, not a fault of ours", async (code) => {
    const { url } = await serve({ handle: () => Promise.reject(Object.assign(new Error("connect /data/.s.PGSQL"), { code })) });
    const response = await fetch(`${url}/raw`);
    expect(response.status).toBe(503);
    expect(await response.text()).not.toContain("PGSQL");
  });

  test("an error after half the answer cuts the connection: the client must not take it for whole", async () => {
    const { url } = await serve({
      handle: (_request, response) => {
        response.writeHead(200, { "Content-Length": 100 });
        response.write("half");
        throw new Error("late");
      },
    });
    await expect(fetch(`${url}/raw`).then((response) => response.text())).rejects.toThrow();
  });
});

describe("the door", () => {
  test("addresses come from PUBLIC_URL, whatever Host the client sends", async () => {
    const { port } = await serve();
    for (const host of ["evil.example", "evil.example:99", "user@evil", "%%"]) {
      const answer = await sendRaw(
        port,
        `GET /nowhere HTTP/1.1\r\nHost: ${host}\r\nX-Forwarded-Host: evil.example\r\nConnection: close\r\n\r\n`,
      );
      expect(answer).toContain(`${PUBLIC_URL}/docs/errors#ROUTE_NOT_FOUND`);
      expect(answer).not.toContain("evil");
    }
  });

  test("a whole address in the request line is read as its path", async () => {
    const { port } = await serve();
    expect(await sendRaw(port, "GET http://evil.example/healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")).toMatch(
      /^HTTP\/1\.1 200/,
    );
    expect(await sendRaw(port, "OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")).toMatch(/^HTTP\/1\.1 404/);
  });

  test("a route owns its path and what is below it, not its neighbours", async () => {
    const { url } = await serve({ handle: (_request, response, { path }) => void response.end(path) });
    expect(await (await fetch(`${url}/raw/a?b=1`)).text()).toBe("/raw/a");
    expect((await fetch(`${url}/rawest`)).status).toBe(404);
  });

  test.each(["/healthz", "/readyz", "/metrics"])("%s is an address of its own: below it there is nothing", async (path) => {
    const { url } = await serve({
      routes: [{ path: "/metrics", handle: (_request, response) => void response.end("numbers"), exact: true }],
      fallback: (_request, response) => void response.end("a page for browsers"),
    });
    expect((await fetch(url + path)).status).toBe(200);
    for (const below of ["/", "/anything", "/a/b"]) {
      const response = await fetch(url + path + below, { headers: { Accept: "text/html" } });
      expect([response.status, (await problem(response)).code], path + below).toEqual([404, "ROUTE_NOT_FOUND"]);
    }
  });

  test("a body reaches the fallback whole", async () => {
    const { url } = await serve();
    const body = "ä".repeat(200_000);
    expect(await (await fetch(`${url}/echo`, { method: "POST", body })).text()).toBe(body);
  });

  test("the log has a line per request, without query and without tokens in the path", async () => {
    const { url, lines } = await serve();
    await (await fetch(`${url}/v1/preview/very-secret?token=also-secret`)).text();
    await (await fetch(`${url}/healthz`)).text();
    await expect.poll(() => lines.length).toBe(2);
    expect(lines[0]).toMatchObject({ level: "info", message: "request", facts: { method: "GET", path: "/v1/preview/…", status: 404 } });
    expect(JSON.stringify(lines)).not.toContain("secret");
    expect(lines[1]?.level).toBe("debug");
  });

  test("no link that opens something is written to the log", async () => {
    const { url, lines } = await serve();
    const links = ["/invite/very-secret", "/setup/very-secret", "/api/invitations/very-secret/sign-up", "/preview/very-secret"];
    const mistyped = ["/v1/stet_secret", "/mcp/stetci_very-secret_1", "/hooks/whsec_very-secret_1", `/${"secret".repeat(20)}`];
    const paths = [...links, ...mistyped];
    for (const path of paths) await (await fetch(url + path)).text();
    await expect.poll(() => lines.length).toBe(paths.length);
    expect(JSON.stringify(lines)).not.toContain("secret");
  });
});

describe("a client that goes away", () => {
  /** Sends half a request or reads half an answer, and hangs up. */
  async function hangUp(port: number, bytes: string, until: RegExp | null): Promise<void> {
    const socket = connect(port, "127.0.0.1");
    socket.write(bytes);
    if (until) {
      let read = "";
      for await (const piece of socket) {
        read += String(piece);
        if (until.test(read)) break;
      }
    } else await once(socket, "connect");
    socket.destroy();
  }

  const reading: Handler = async (request, response) => {
    for await (const _piece of request);
    response.end("read");
  };
  const sending: Handler = async (_request, response) => {
    await pipeline(async function* () {
      for (;;) {
        yield "x".repeat(1_000);
        await new Promise((resolve) => setImmediate(resolve));
      }
    }, response);
  };
  const POST = "POST /raw HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhalf";
  const GET = "GET /raw HTTP/1.1\r\nHost: a\r\n\r\n";

  test.each([
    ["while it sends", reading, POST, null],
    ["while it reads", sending, GET, /xxxx/],
  ])("%s is no fault: at most a line for debugging", async (_when, handle, bytes, until) => {
    const { port, lines } = await serve({ handle });
    await hangUp(port, bytes, until);
    await expect.poll(() => lines.some(({ message, facts }) => message === "request" && facts["status"] === null)).toBe(true);
    await expect.poll(() => lines.length).toBe(2);
    expect(lines.map(({ level }) => level)).toEqual(["debug", "debug"]);
  });

  test("is no excuse for a fault of ours", async () => {
    const { port, lines } = await serve({
      handle: (request) => new Promise((_resolve, reject) => request.on("close", () => reject(new TypeError("x is not a function")))),
    });
    await hangUp(port, POST, null);
    await expect.poll(() => lines.filter(({ level }) => level === "error").length).toBe(1);
  });
});

describe("a bare route", () => {
  const bare = (handle: Handler) => ({ routes: [{ path: "/raw", handle, bare: true }] });

  test("writes its own headers, and has a line in the log only for debugging", async () => {
    const { url, lines } = await serve(
      bare((_request, response, { requestId }) => {
        response.writeHead(200, ["X-Request-Id", requestId, "Content-Length", "0"]);
        response.end();
      }),
    );
    const response = await fetch(`${url}/raw`);
    expect(isId("request", response.headers.get("x-request-id") ?? "")).toBe(true);
    await expect.poll(() => lines.map((line) => line.level)).toEqual(["debug"]);
  });

  test.each([
    [
      "throws",
      () => {
        throw new Error("at once");
      },
    ],
    ["rejects", () => Promise.reject(new Error("later"))],
  ] as [string, Handler][])("that %s is answered with 500 and a request id", async (_how, handle) => {
    const { url, lines } = await serve(bare(handle));
    const response = await fetch(`${url}/raw`);
    expect(response.status).toBe(500);
    expect((await problem(response)).requestId).toBe(response.headers.get("x-request-id"));
    expect(lines.some((line) => line.level === "error")).toBe(true);
  });

  test("tells connections to close while the service stops", async () => {
    const { url } = await serve({ ...bare((_request, response) => void response.writeHead(204, []).end()), isStopping: () => true });
    expect((await fetch(`${url}/raw`)).headers.get("connection")).toBe("close");
  });
});

describe("stopping", () => {
  test("requests at work finish, and no new connection is taken", async () => {
    let release = (): void => {};
    let arrived = (): void => {};
    const atWork = new Promise<void>((resolve) => (arrived = resolve));
    const { url } = await serve({
      handle: async (_request, response) => {
        arrived();
        await new Promise<void>((resolve) => (release = resolve));
        response.end("finished");
      },
    });
    const answer = fetch(`${url}/raw`);
    await atWork;
    const started = performance.now();
    const stopped = server!.stop(10_000);
    // Those that the system had accepted before are still taken.
    const asked = () =>
      fetch(`${url}/healthz`).then(
        () => "answered",
        () => "refused",
      );
    await expect.poll(asked, { interval: 10 }).toBe("refused");
    release();
    expect(await (await answer).text()).toBe("finished");
    await stopped;
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  test("a request that does not finish within the grace is cut", async () => {
    let arrived = (): void => {};
    const atWork = new Promise<void>((resolve) => (arrived = resolve));
    const { url } = await serve({
      handle: () => {
        arrived();
        return new Promise<void>(() => {});
      },
    });
    const answer = fetch(`${url}/raw`);
    const refused = expect(answer).rejects.toThrow();
    await atWork;
    await server!.stop(50);
    await refused;
  });

  test("connections that are open but idle do not hold it up", async () => {
    const { url } = await serve();
    await (await fetch(`${url}/healthz`)).text();
    const started = performance.now();
    await server!.stop(10_000);
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});

test("a port in use is said in words", async () => {
  const { port } = await serve();
  await expect(startHttpServer({ host: "127.0.0.1", port, publicUrl: PUBLIC_URL, handle: () => {} })).rejects.toThrow(
    `Port ${port} on 127.0.0.1 is in use by another program. Stop it, or set PORT to another number.`,
  );
});
