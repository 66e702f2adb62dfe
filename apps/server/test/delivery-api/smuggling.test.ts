import { describe, expect, test } from "vitest";
import { closedAtEnd } from "#test/closed-at-end";
import { sendRaw } from "#test/delivery-node";
import { freshAddress } from "./request.ts";
import { openService } from "./service.ts";

const MARK = "zqxforeign";
const service = closedAtEnd(await openService());
const [mine, theirs] = [await service.blog(), await service.blog()];
await mine.write.post("Ours");
await theirs.write.post(`${MARK} post`);

const get = (path: string, key: string, extra = "") =>
  `GET /v1${path} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${freshAddress()}\r\nAuthorization: Bearer ${key}\r\n${extra}\r\n`;
const statuses = (raw: string): number[] => [...raw.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));

/** A request hidden behind another: only an intermediary that reads lengths differently would pass it on. */
const hidden = () => get("/blog/posts", theirs.key, "Connection: close\r\n");

describe("a request whose end two readers could see at different places is refused, and nothing behind it is answered", () => {
  const shapes: Record<string, () => string> = {
    "Content-Length and Transfer-Encoding": () =>
      `POST /v1/collect HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden()}`,
    "Transfer-Encoding and Content-Length": () =>
      `POST /v1/collect HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 300\r\n\r\n0\r\n\r\n${hidden()}`,
    "two different Content-Lengths": () =>
      `POST /v1/collect HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nContent-Length: 300\r\n\r\n${hidden()}`,
    "a list as Content-Length": () => `POST /v1/collect HTTP/1.1\r\nHost: x\r\nContent-Length: 0, 300\r\n\r\n${hidden()}`,
    "a Content-Length with a sign": () => `POST /v1/collect HTTP/1.1\r\nHost: x\r\nContent-Length: +0\r\n\r\n${hidden()}`,
    "a negative Content-Length": () => `POST /v1/collect HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n${hidden()}`,
    "a Content-Length in hexadecimal": () => `POST /v1/collect HTTP/1.1\r\nHost: x\r\nContent-Length: 0x10\r\n\r\n${hidden()}`,
    "a Content-Length beyond any number": () =>
      `POST /v1/collect HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999999\r\n\r\n${hidden()}`,
    "a Transfer-Encoding that is not understood": () =>
      `POST /v1/collect HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${hidden()}`,
    "chunked that is not last": () =>
      `POST /v1/collect HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${hidden()}`,
    "a space before the colon": () =>
      `POST /v1/collect HTTP/1.1\r\nHost: x\r\nContent-Length : 0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden()}`,
    "a folded header line": () =>
      `POST /v1/collect HTTP/1.1\r\nHost: x\r\nTransfer-Encoding:\r\n chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n${hidden()}`,
    "a bare line feed between headers": () =>
      `POST /v1/collect HTTP/1.1\r\nHost: x\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden()}`,
    "a bare carriage return in a value": () => `GET /v1/blog/posts HTTP/1.1\r\nHost: x\r\nX-A: b\rContent-Length: 5\r\n\r\n${hidden()}`,
    "a NUL in a header": () => `GET /v1/blog/posts HTTP/1.1\r\nHost: x\r\nX-A: \0\r\n\r\n${hidden()}`,
    "a chunk size that is no number": () =>
      `POST /v1/collect HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n${hidden()}`,
    "a chunk longer than it says": () =>
      `POST /v1/collect HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n0\r\n\r\n${hidden()}`,
    "a chunk extension with a bare line feed": () =>
      `POST /v1/collect HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n2;\nxx\r\n4c\r\n0\r\n\r\n${hidden()}`,
    "no Host": () => `GET /v1/blog/posts HTTP/1.1\r\nX-A: b\r\n\r\n${hidden()}`,
    "two Hosts": () => `GET /v1/blog/posts HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n${hidden()}`,
    "a version that does not exist": () => `GET /v1/blog/posts HTTP/9.9\r\nHost: x\r\n\r\n${hidden()}`,
    "the preface of HTTP/2": () => `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${hidden()}`,
    "a header over 16 KiB": () => get("/blog/posts", mine.key, `X-A: ${"a".repeat(17_000)}\r\n`) + hidden(),
  };

  test.each(Object.keys(shapes))("%s", async (name) => {
    const answer = await sendRaw(service.port, Buffer.from(shapes[name]!(), "latin1"));
    expect(answer).not.toContain(MARK);
    const [status, ...further] = statuses(answer);
    expect([status! >= 400 && status! < 500, further]).toEqual([true, []]);
    expect(answer.toLowerCase()).toContain("connection: close");
    expect(answer).toMatch(/x-request-id: /i);
  });
});

describe("what is unambiguous is answered as it was asked", () => {
  test("pipelined requests are answered in order, each with its own key's content", async () => {
    const asked = [
      get("/blog/posts/ours", mine.key),
      get("/blog/posts", theirs.key),
      get("/blog/posts/nothing", mine.key),
      get("/blog/posts", mine.key, "Connection: close\r\n"),
    ];
    const answer = await sendRaw(service.port, asked.join(""));
    expect(statuses(answer)).toEqual([200, 200, 404, 200]);
    const [first, second, third, fourth] = answer.split("HTTP/1.1 ").slice(1);
    expect(second).toContain(MARK);
    for (const part of [first, third, fourth]) expect(part).not.toContain(MARK);
  });

  test("the body of a GET is no second request", async () => {
    const inner = hidden();
    const answer = await sendRaw(
      service.port,
      get("/blog/posts", mine.key, `Content-Length: ${inner.length}\r\nConnection: close\r\n`) + inner,
    );
    expect(statuses(answer)).toEqual([200]);
    expect(answer).not.toContain(MARK);
  });

  test("the body of a refused request is no second request", async () => {
    const inner = hidden();
    for (const [method, path] of [
      ["POST", "/blog/posts"],
      ["PUT", "/nowhere"],
      ["POST", "/collect"],
    ] as const) {
      const answer = await sendRaw(
        service.port,
        `${method} /v1${path} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${freshAddress()}\r\nContent-Type: text/plain\r\nConnection: close\r\nContent-Length: ${inner.length}\r\n\r\n${inner}`,
      );
      expect([path, statuses(answer).length, statuses(answer)[0]! >= 400]).toEqual([path, 1, true]);
      expect(answer).not.toContain(MARK);
    }
  });

  test("the target may be a whole address: its host decides nothing", async () => {
    const answer = await sendRaw(
      service.port,
      get("/blog/posts", mine.key, "Connection: close\r\n").replace("GET /v1", "GET http://other.example/v1"),
    );
    expect(statuses(answer)).toEqual([200]);
    expect(answer).toContain('"ours"');
  });

  test("an expectation that nobody knows is passed over, and the answer has its request id", async () => {
    const answer = await sendRaw(service.port, get("/blog/posts", mine.key, "Expect: miracles\r\nConnection: close\r\n"));
    expect(statuses(answer)).toEqual([200]);
    expect(answer).toMatch(/x-request-id: req_/i);
  });

  test("HEAD in a pipeline leaves no body that could be taken for the next answer", async () => {
    const asked =
      get("/blog/posts", mine.key).replace("GET", "HEAD") +
      get("/blog/posts/nothing", mine.key).replace("GET", "HEAD") +
      get("/blog/posts", mine.key, "Connection: close\r\n");
    const answer = await sendRaw(service.port, asked);
    expect(statuses(answer)).toEqual([200, 404, 200]);
    expect(answer.match(/"data"/g)).toHaveLength(1);
    expect(answer).not.toContain('"code"');
  });
});
