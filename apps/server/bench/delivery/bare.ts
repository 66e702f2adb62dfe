import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Answer, usage } from "./shared.ts";

/** node:http and nothing else, sending answers that were recorded, in turn: what the service is held against. */
let answers: readonly { readonly status: number; readonly headers: string[]; readonly body: Buffer | undefined }[] = [];
let next = 0;
process.on("message", (message: readonly Answer[] | "usage") => {
  if (message === "usage") {
    process.send?.(usage());
    return;
  }
  answers = message.map(({ status, headers, body }) => ({
    status,
    headers: [...headers],
    // In memory of their own, as the service keeps them.
    body: body === "" ? undefined : Buffer.from(new Uint8Array(Buffer.from(body, "base64")).buffer),
  }));
  process.send?.("ready");
});
const server = createServer((_request, response) => {
  const { status, headers, body } = answers[next++ % answers.length]!;
  response.writeHead(status, headers);
  response.end(body);
});
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
