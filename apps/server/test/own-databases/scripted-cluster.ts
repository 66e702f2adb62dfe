import { once } from "node:events";
import { type AddressInfo, createServer as createTcpServer, type Socket } from "node:net";
import { createServer as createTlsServer, type TlsOptions } from "node:tls";
import { BSON } from "mongodb";

type Document = Record<string, unknown>;
/** A document is sent as a plain reply; bytes as they are; null ends the connection; undefined says nothing at all. */
type Answer = Document | Buffer | null | undefined;
type Script = Readonly<Record<string, Answer | ((command: Document) => Answer)>>;

export interface ScriptedCluster {
  readonly port: number;
  /** What is answered to a command, by its name; the rest is what a small healthy server says. */
  script: Script;
  /** So many came, and so many are still here. */
  connections: number;
  readonly open: number;
  /** At so many of its addresses somebody is here. */
  readonly addresses: number;
  readonly commands: string[];
  close(): Promise<void>;
}

/** What a server says that stands alone. */
export const HELLO = {
  ismaster: true,
  isWritablePrimary: true,
  helloOk: true,
  maxBsonObjectSize: 16_777_216,
  maxMessageSizeBytes: 48_000_000,
  maxWriteBatchSize: 100_000,
  minWireVersion: 0,
  maxWireVersion: 21,
  ok: 1,
} as const;

const HEALTHY: Script = {
  hello: HELLO,
  ping: { ok: 1 },
  buildInfo: { version: "7.0.0", versionArray: [7, 0, 0, 0], ok: 1 },
};
const OP_MSG = 2013;

/** Says whatever a test wants it to, in the protocol of MongoDB or in bytes that are none. */
export async function openScriptedCluster(options: { tls?: TlsOptions; host?: string; script?: Script } = {}): Promise<ScriptedCluster> {
  const sockets = new Set<Socket>();
  const serve = (socket: Socket) => {
    cluster.connections += 1;
    sockets.add(socket);
    let rest: Buffer = Buffer.alloc(0);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    socket.on("data", (chunk: Buffer) => {
      rest = Buffer.concat([rest, chunk]);
      while (rest.length >= 16 && rest.length >= rest.readInt32LE(0)) {
        const frame = rest.subarray(0, rest.readInt32LE(0));
        rest = rest.subarray(frame.length);
        answer(socket, frame);
      }
    });
  };
  const answer = (socket: Socket, frame: Buffer) => {
    const command = readCommand(frame);
    const first = Object.keys(command)[0] ?? "";
    const name = /^ismaster$/i.test(first) ? "hello" : first;
    cluster.commands.push(name);
    const script = { ...HEALTHY, ...cluster.script };
    const entry = name in script ? script[name] : { ok: 0, code: 59, errmsg: `no such command: ${name}` };
    const said = typeof entry === "function" ? entry(command) : entry;
    if (said === null) socket.destroy();
    else if (Buffer.isBuffer(said)) socket.write(said);
    else if (said !== undefined) socket.write(message(said, frame.readInt32LE(4), frame.readInt32LE(12)));
  };
  const server = options.tls ? createTlsServer(options.tls, serve) : createTcpServer(serve);
  server.on("tlsClientError", () => {});
  server.listen(0, options.host ?? "127.0.0.1");
  await once(server, "listening");
  const cluster: ScriptedCluster = {
    port: (server.address() as AddressInfo).port,
    script: options.script ?? {},
    connections: 0,
    get open() {
      return sockets.size;
    },
    get addresses() {
      return new Set([...sockets].map(({ localAddress }) => localAddress)).size;
    },
    commands: [],
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
  return cluster;
}

function readCommand(frame: Buffer): Document {
  if (frame.readInt32LE(12) === OP_MSG) return BSON.deserialize(frame.subarray(21, 21 + frame.readInt32LE(21)));
  const document = frame.indexOf(0, 20) + 9;
  return BSON.deserialize(frame.subarray(document, document + frame.readInt32LE(document)));
}

/** The frame of a reply: OP_MSG, or OP_REPLY to an OP_QUERY. */
export function message(document: Document, responseTo: number, requestKind: number): Buffer {
  const body = Buffer.from(BSON.serialize(document, { ignoreUndefined: true }));
  // The library never writes a field of this name; a hostile server does.
  const disguised = body.indexOf("_bsontypX");
  if (disguised !== -1) body.write("_bsontype", disguised);
  if (requestKind === OP_MSG) return Buffer.concat([header(21 + body.length, OP_MSG, responseTo), Buffer.alloc(5), body]);
  const reply = Buffer.alloc(20);
  reply.writeInt32LE(1, 16);
  return Buffer.concat([header(36 + body.length, 1, responseTo), reply, body]);
}

export function header(bytes: number, kind: number, responseTo = 0): Buffer {
  const made = Buffer.alloc(16);
  made.writeInt32LE(bytes, 0);
  made.writeInt32LE(responseTo, 8);
  made.writeInt32LE(kind, 12);
  return made;
}
