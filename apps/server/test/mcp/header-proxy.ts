import { createServer, request as forward } from "node:http";
import type { AddressInfo } from "node:net";

/** Passes everything on to `target` with a token added: the conformance suite has no way to sign in. */
export async function openHeaderProxy(target: string, token: string): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${token}` };
    const request = forward(new URL(incoming.url ?? "/", target), { method: incoming.method ?? "GET", headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    request.on("error", () => outgoing.destroy());
    outgoing.on("close", () => request.destroy());
    incoming.pipe(request);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
