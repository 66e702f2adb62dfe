import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createGuardedClient } from "#adapters/guarded-fetch/client";
import type { GuardedClient } from "#ports/guarded-client";
import type { ImageStore } from "#ports/image-store";

/** A store's server that answers what no server should. */
export function hostileServer() {
  let listener: RequestListener = () => {};
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    request.resume();
    listener(request, response);
  });
  const client = createGuardedClient({ privateTargets: ["127.0.0.1"] });
  beforeAll(async () => {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
  });
  afterAll(() => {
    client.close();
    server.closeAllConnections();
    server.close();
  });
  return {
    client,
    answer: (next: RequestListener) => void (listener = next),
    requests: () => requests,
    connections: () => promisify(server.getConnections.bind(server))(),
    port: () => (server.address() as AddressInfo).port,
    endpoint: () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  };
}

/** What the operator reads in the log. */
export const faultOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "no fault",
    (error: Error) => (error.cause instanceof Error ? error.cause.message : error.message),
  );

export async function listed(store: ImageStore): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of store.list("site_1/")) keys.push(key);
  return keys;
}

interface Opening {
  readonly endpoint?: string;
  readonly client?: GuardedClient;
  readonly patienceMillis?: number;
}

const KEY = "site_1/media_1.png";

/** What no store believes, waits for or connects to, whatever protocol it speaks. */
export function hostileStoreContract(server: ReturnType<typeof hostileServer>, open: (opening: Opening) => ImageStore): void {
  const patient = { patienceMillis: 20_000 };

  test("a redirect is an error, and is not followed", async () => {
    server.answer((_, response) => void response.writeHead(307, { Location: `${server.endpoint()}/elsewhere` }).end());
    const before = server.requests();
    expect(await faultOf(open(patient).put(KEY, Buffer.from("abc"), "image/png"))).toContain("redirect (307)");
    expect(await faultOf(open(patient).get(KEY))).toContain("redirect (307)");
    expect(await faultOf(listed(open(patient)))).toContain("redirect (307)");
    expect(server.requests()).toBe(before + 3);
  });

  test("an answer without end is left where it is too large", async () => {
    let sent = 0;
    server.answer((_, response) => {
      const piece = Buffer.alloc(1024 * 1024);
      const send = (): void => {
        while (!response.destroyed && sent < 1024) {
          sent += 1;
          if (!response.write(piece)) return void response.once("drain", send);
        }
      };
      send();
    });
    expect(await faultOf(open(patient).get(KEY))).toContain("larger than");
    expect(sent).toBeLessThan(60);
    sent = 0;
    expect(await faultOf(listed(open(patient)))).toContain("larger than");
    expect(sent).toBeLessThan(40);
  });

  test.each([
    ["the whole file", 200, {}],
    ["another part", 206, { "Content-Range": "bytes 7-9/10" }],
  ])("a reader who is sent %s without end leaves no connection behind", async (_, status, headers) => {
    server.answer((_request, response) => void response.writeHead(status, headers).write("0123456789"));
    for (let reads = 0; reads < 20; reads++) await faultOf(buffer(open(patient).read(KEY, 2, 5)));
    await expect.poll(server.connections).toBe(0);
  });

  test("an answer that drips, and one that never comes, end with the time", async () => {
    const hasty = open({ patienceMillis: 500 });
    server.answer((_, response) => {
      const drip = setInterval(() => response.write("x"), 20);
      response.on("close", () => clearInterval(drip));
    });
    expect(await faultOf(hasty.get(KEY))).toContain("No complete answer within");
    server.answer(() => {});
    expect(await faultOf(hasty.size(KEY))).toContain("No complete answer within");
  });

  test("a private address is never connected to, by number or by a name that changes its mind", async () => {
    const before = server.requests();
    const closed = createGuardedClient({ privateTargets: [] });
    expect(await faultOf(open({ client: closed }).get(KEY))).toContain("https");
    let asked = 0;
    const rebinding = createGuardedClient({
      privateTargets: [],
      resolve: async () => [{ address: asked++ === 0 ? "93.184.216.34" : "127.0.0.1", family: 4 }],
    });
    const named = open({ client: rebinding, endpoint: `https://store.example:${server.port()}`, patienceMillis: 300 });
    await faultOf(named.get(KEY));
    expect(await faultOf(named.get(KEY))).toContain("private or reserved");
    expect(server.requests()).toBe(before);
    closed.close();
    rebinding.close();
  });
}
