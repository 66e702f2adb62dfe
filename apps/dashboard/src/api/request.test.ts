import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { request } from "./request.ts";

let server: Server;
let address: string;

beforeAll(async () => {
  // One address never answers, the other never ends its answer.
  server = createServer((asked, answer) => void (asked.url === "/half" && answer.write("{")));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

test.each(["/never", "/half"])("%s: an answer that takes too long is a failure that can be repeated", async (path) => {
  await expect(request(address + path, { signal: AbortSignal.timeout(50) })).rejects.toMatchObject({ name: "ApiProblem", status: 0 });
});

test.each(["/never", "/half"])("%s: an answer that nobody wants any more is no failure", async (path) => {
  const leaving = new AbortController();
  const asked = request(address + path, { signal: leaving.signal });
  leaving.abort();
  await expect(asked).rejects.toMatchObject({ name: "AbortError" });
});
