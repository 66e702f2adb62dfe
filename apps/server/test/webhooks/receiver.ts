import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The bytes as they came. */
  readonly body: string;
  readonly event: { id: string; type: string; data: { version: number; coalesced?: string[]; post: Record<string, unknown> | null } };
}

/** What a receiver does with a request: answers this status, or whatever it likes. */
export type Reaction = number | ((response: ServerResponse, received: Received) => void);

/** A real receiver on this machine that writes down what it gets. */
export async function openReceiver(reaction: Reaction = 204) {
  const received: Received[] = [];
  let underWay = 0;
  const receiver = {
    url: "",
    received,
    reaction,
    /** How many requests were being answered at the same time, at most. */
    mostAtOnce: 0,
    ids: () => received.map(({ event }) => event.id),
    versions: () => received.map(({ event }) => event.data.version),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    underWay += 1;
    receiver.mostAtOnce = Math.max(receiver.mostAtOnce, underWay);
    response.on("close", () => (underWay -= 1));
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString("utf8");
      const entry: Received = { path: request.url ?? "", headers: request.headers, body, event: JSON.parse(body) as Received["event"] };
      received.push(entry);
      if (typeof receiver.reaction === "number") response.writeHead(receiver.reaction).end();
      else receiver.reaction(response, entry);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  return receiver;
}

export type Receiver = Awaited<ReturnType<typeof openReceiver>>;
