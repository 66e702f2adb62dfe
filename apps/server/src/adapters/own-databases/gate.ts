import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { pipeline } from "node:stream";
import { isSameSecret } from "#domain/same-secret";
import { createCursors, type Cursors } from "./cursors.ts";
import { dial, type DialOptions } from "./dial.ts";
import { createFrameRoom } from "./frame-room.ts";
import { type FrameOptions, type FrameRoom, MAX_FRAME_BYTES, refusal, replyFilter } from "./frames.ts";
import { createWaiting, requestCounter } from "./requests.ts";
import { createPace, type Pace } from "./pace.ts";
import { answerAsked, readAsked } from "./socks.ts";

/** A pool of ten, and one for each member that is watched. */
const MAX_CONNECTIONS = 64;
/** For one cluster one reply of full size at a time; for all together as much as a process can spare. */
const CLUSTER_FRAME_BYTES = MAX_FRAME_BYTES + 4_000_000;
const ALL_FRAME_BYTES = 256_000_000;
/** What one cluster may send in long frames: lists of ordinary posts never come near it, and megabytes without an end take a small part of a core. */
const LONG_BYTES_PER_SECOND = 40_000_000;
const LONG_BYTES_AT_ONCE = 2_000_000;

/** What is on the other side of the gate for one client. */
interface Beyond extends Pick<DialOptions, "tls" | "ca"> {
  readonly deserialize: FrameOptions["deserialize"];
  /** Told why a connection was refused or ended by the gate. */
  readonly onRefusal: (reason: Error) => void;
}

/** How the driver of one client reaches the gate: these are its proxy options. */
interface Pass {
  readonly proxyHost: string;
  readonly proxyPort: number;
  readonly proxyUsername: string;
  readonly proxyPassword: string;
}

export interface Gate {
  /** A pass for one client; revoking it ends its connections. */
  admit(beyond: Beyond): Promise<{ readonly pass: Pass; readonly revoke: () => void }>;
  close(): Promise<void>;
}

export interface GateOptions extends Omit<DialOptions, "tls" | "ca"> {
  /** From a request to the last byte of its answer, in milliseconds. */
  readonly answerMillis: number;
}

interface Admitted extends Beyond {
  readonly password: string;
  readonly room: FrameRoom;
  readonly pace: Pace;
  readonly cursors: Cursors;
  readonly sockets: Set<Socket>;
}

/**
 * Everything that customers' databases and the driver say to each other passes through here. The driver asks for a host in plain
 * text on a loopback port, with a password that only this process knows; the gate judges the host, opens TLS to it, and reads along.
 */
export function createGate(options: GateOptions): Gate {
  const clients = new Map<string, Admitted>();
  const everybody = createFrameRoom(ALL_FRAME_BYTES);
  const locals = new Set<Socket>();
  /** Null: not yet, or the last attempt failed. */
  let listening: Promise<Server> | null = null;

  const clientOf = (user: string, password: string): Admitted | null => {
    const client = clients.get(user);
    return client && isSameSecret(password, client.password) ? client : null;
  };
  const serve = async (local: Socket): Promise<void> => {
    const asked = await readAsked(local, clientOf);
    if (!asked) return void local.destroy();
    const { client, host } = asked;
    try {
      if (client.sockets.size >= MAX_CONNECTIONS) throw new Error("The database announces more members than can be connected to.");
      client.sockets.add(local);
      local.on("close", () => client.sockets.delete(local));
      const remote = await dial(host, { ...options, tls: client.tls, ca: client.ca });
      if (local.destroyed) return void remote.destroy();
      answerAsked(local, true);
      return join(local, remote, client, options.answerMillis);
    } catch (error) {
      client.onRefusal(error as Error);
      return answerAsked(local, false);
    }
  };
  const listen = async (): Promise<Server> => {
    const server = createServer({ noDelay: true }, (local) => {
      locals.add(local);
      local.on("error", () => {}).on("close", () => locals.delete(local));
      void serve(local);
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return server;
  };

  return {
    async admit(beyond) {
      const server = await (listening ??= listen().catch((error: unknown) => {
        listening = null;
        throw error;
      }));
      const [proxyUsername, proxyPassword] = [randomBytes(16).toString("hex"), randomBytes(32).toString("hex")];
      const sockets = new Set<Socket>();
      const room = createFrameRoom(CLUSTER_FRAME_BYTES, everybody);
      const pace = createPace(LONG_BYTES_PER_SECOND, LONG_BYTES_AT_ONCE);
      clients.set(proxyUsername, { ...beyond, password: proxyPassword, sockets, room, pace, cursors: createCursors() });
      const { address: proxyHost, port: proxyPort } = server.address() as AddressInfo;
      return {
        pass: { proxyHost, proxyPort, proxyUsername, proxyPassword },
        revoke() {
          clients.delete(proxyUsername);
          for (const socket of sockets) socket.destroy();
        },
      };
    },
    async close() {
      clients.clear();
      const server = await listening?.catch(() => null);
      for (const socket of locals) socket.destroy();
      if (!server) return;
      server.close();
      await once(server, "close");
    },
  };
}

function join(local: Socket, remote: Socket, client: Admitted, answerMillis: number): void {
  const waiting = createWaiting(answerMillis, () => replies.destroy(refusal("did not come in time")));
  const { room, pace, cursors, deserialize } = client;
  const replies = replyFilter({ waiting, room, pace, cursors, deserialize });
  const ended = (error: NodeJS.ErrnoException | null | undefined) => {
    if (error?.name === "FrameRefusal") client.onRefusal(error);
    waiting.close();
    local.destroy();
    remote.destroy();
  };
  pipeline(local, requestCounter(waiting), remote, ended);
  pipeline(remote, replies, local, ended);
}
