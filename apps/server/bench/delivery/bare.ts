import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Answer, usage } from "./shared.ts";

/** node:http and nothing else, sending an answer that was recorded: what the service is held against. */
let status = 200;
let headers: string[] = [];
let body: Buffer | undefined;
process.on("message", (answer: Answer | "usage") => {
  if (answer === "usage") {
    process.send?.(usage());
    return;
  }
  status = answer.status;
  headers = [...answer.headers];
  body = answer.body === "" ? undefined : Buffer.from(answer.body, "base64");
  process.send?.("ready");
});
const server = createServer((_request, response) => {
  response.writeHead(status, headers);
  response.end(body);
});
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
