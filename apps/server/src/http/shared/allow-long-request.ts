import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";

/** How long nothing may move on such a connection, in milliseconds. */
const IDLE_MILLIS = 120_000;

const sockets = new WeakSet<Socket>();

/**
 * Lets a request arrive for as long as it moves, past the server's limit for a whole one: an import is taken only as fast as it is
 * written down. To be called by who knows the sender. What it answers ends it.
 */
export function allowLongRequest({ socket }: IncomingMessage): () => void {
  sockets.add(socket);
  socket.setTimeout(IDLE_MILLIS);
  return () => {
    sockets.delete(socket);
    socket.setTimeout(0);
  };
}

export const isLongRequest = (socket: Socket): boolean => sockets.has(socket);
