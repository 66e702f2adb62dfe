import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { message } from "#test/own-databases/scripted-cluster";

export interface LossyProxy {
  readonly url: string;
  /** The next such command reaches the server and is carried out; its answer is lost with the connection. */
  loseNextAnswerTo(command: "insert" | "update" | "findAndModify"): void;
  /** The next such command never reaches the server. */
  loseNext(command: "insert" | "update" | "findAndModify"): void;
  /** Waits before it passes the next such command on, until the returned function is called; its answer can be lost as well. */
  holdNext(command: "insert" | "update" | "findAndModify", options?: { losesAnswer: boolean }): () => void;
  /** Answers every command that writes with this error, as a server does that is full or does not let its user write; null: no longer. */
  refuseWrites(error: { readonly code: number; readonly codeName: string; readonly errmsg: string } | null): void;
  readonly lost: () => number;
  /** The server is found at another address from now on. */
  leadTo(serverUrl: string): void;
  close(): Promise<void>;
}

const WRITES = ["insert", "update", "delete", "findAndModify"];
/** A command's name is the first key of its document: a string element in BSON, type 2, ended by a NUL. */
const markerOf = (command: string) => `\u0002${command}\u0000`;

/** Stands between the driver and a real server and breaks connections where the network could. */
export async function openLossyProxy(serverUrl: string): Promise<LossyProxy> {
  let { hostname, port } = new URL(serverUrl);
  let plan: { kind: "answer" | "command" | "hold"; marker: string; released: Promise<void>; losesAnswer?: boolean } | null = null;
  let refusal: Parameters<LossyProxy["refuseWrites"]>[0] = null;
  let lost = 0;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    let losing = false;
    client.on("data", (bytes) => {
      if (refusal && WRITES.some((command) => bytes.includes(markerOf(command)))) {
        client.write(message({ ok: 0, ...refusal }, bytes.readInt32LE(4), bytes.readInt32LE(12)));
        return;
      }
      if (!plan || !bytes.includes(plan.marker)) {
        upstream.write(bytes);
        return;
      }
      const { kind, released, losesAnswer = false } = plan;
      plan = null;
      if (kind === "hold") {
        losing = losesAnswer;
        lost += losesAnswer ? 1 : 0;
        void released.then(() => upstream.write(bytes));
        return;
      }
      lost += 1;
      if (kind === "command") client.destroy();
      else {
        losing = true;
        upstream.write(bytes);
      }
    });
    upstream.on("data", (bytes) => {
      if (losing) client.destroy();
      else client.write(bytes);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `mongodb://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    loseNextAnswerTo(command) {
      plan = { kind: "answer", marker: markerOf(command), released: Promise.resolve() };
    },
    loseNext(command) {
      plan = { kind: "command", marker: markerOf(command), released: Promise.resolve() };
    },
    holdNext(command, { losesAnswer } = { losesAnswer: false }) {
      const { promise, resolve } = Promise.withResolvers<void>();
      plan = { kind: "hold", marker: markerOf(command), released: promise, losesAnswer };
      return resolve;
    },
    refuseWrites(error) {
      refusal = error;
    },
    lost: () => lost,
    leadTo(url) {
      ({ hostname, port } = new URL(url));
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
