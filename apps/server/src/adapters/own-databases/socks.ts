import type { Socket } from "node:net";
import type { Host } from "./address.ts";

/** As RFC 1928 and 1929 have them, so far as the driver speaks it: connect, with a user name and password. */
const VERSION = 5;
const BY_PASSWORD = 2;
const CONNECT = 1;
const ADDRESS = { ipv4: 1, name: 3, ipv6: 4 } as const;
const GRANTED = 0;
const REFUSED = 2;
const UNSPECIFIED = [0, ADDRESS.ipv4, 0, 0, 0, 0, 0, 0];
/** For the whole exchange, in milliseconds: it never leaves this machine. */
const PATIENCE_MILLIS = 5_000;

export interface Asked<Client> {
  readonly client: Client;
  readonly host: Host;
}

/** Reads who wants to be connected to which host. Null: the connection was closed, or its words were wrong. */
export async function readAsked<Client>(
  socket: Socket,
  clientOf: (user: string, password: string) => Client | null,
): Promise<Asked<Client> | null> {
  const timer = setTimeout(() => socket.destroy(), PATIENCE_MILLIS);
  try {
    return await converse(socket, clientOf);
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
  }
}

async function converse<Client>(
  socket: Socket,
  clientOf: (user: string, password: string) => Client | null,
): Promise<Asked<Client> | null> {
  const [version, methods = 0] = await read(socket, 2);
  const offered = await read(socket, methods);
  if (version !== VERSION || !offered.includes(BY_PASSWORD)) return null;
  socket.write(Buffer.from([VERSION, BY_PASSWORD]));
  const [, userBytes = 0] = await read(socket, 2);
  const user = await read(socket, userBytes);
  const [passwordBytes = 0] = await read(socket, 1);
  const password = await read(socket, passwordBytes);
  const client = clientOf(user.toString("latin1"), password.toString("latin1"));
  socket.write(Buffer.from([1, client ? 0 : 1]));
  if (!client) return null;
  const [, command, , kind] = await read(socket, 4);
  if (command !== CONNECT) return null;
  const name = await readName(socket, kind);
  const port = (await read(socket, 2)).readUInt16BE();
  return name === null ? null : { client, host: { name: name.toLowerCase(), port } };
}

async function readName(socket: Socket, kind: number | undefined): Promise<string | null> {
  if (kind === ADDRESS.ipv4) return (await read(socket, 4)).join(".");
  if (kind === ADDRESS.name) return (await read(socket, (await read(socket, 1))[0]!)).toString("latin1");
  if (kind !== ADDRESS.ipv6) return null;
  const bytes = await read(socket, 16);
  return Array.from({ length: 8 }, (_, group) => bytes.readUInt16BE(group * 2).toString(16)).join(":");
}

/** Exactly so many bytes. */
async function read(socket: Socket, bytes: number): Promise<Buffer> {
  if (bytes === 0) return Buffer.alloc(0);
  for (;;) {
    const found = socket.read(bytes) as Buffer | null;
    if (found?.length === bytes) return found;
    if (found || socket.readableEnded || socket.destroyed) throw new Error("Closed");
    await new Promise<void>((resolve) => {
      const go = () => {
        for (const event of ["readable", "end", "close", "error"]) socket.off(event, go);
        resolve();
      };
      for (const event of ["readable", "end", "close", "error"]) socket.on(event, go);
    });
  }
}

export function answerAsked(socket: Socket, isGranted: boolean): void {
  const answer = Buffer.from([VERSION, isGranted ? GRANTED : REFUSED, ...UNSPECIFIED]);
  if (isGranted) socket.write(answer);
  else socket.end(answer);
}
