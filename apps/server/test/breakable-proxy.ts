import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** Stands between the service and a real server, so that a test can take that server away and bring it back. */
export interface BreakableProxy {
  readonly url: string;
  /** Ends every connection, and refuses new ones until `restore`. */
  cut(): void;
  /** Lets every connection stand, and passes nothing on any more until `restore`, which ends them. */
  hang(): void;
  /** The same for the connections that are open, as when a machine vanishes and another one takes its place: new ones work. */
  strand(): void;
  restore(): void;
  close(): Promise<void>;
}

export async function openBreakableProxy(serverUrl: string): Promise<BreakableProxy> {
  const address = addressOf(serverUrl);
  const sockets = new Set<Socket>();
  let isCut = false;
  let hangs = false;
  const server = createServer((client) => {
    if (isCut) {
      client.destroy();
      return;
    }
    const upstream = connect(address);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    if (!hangs) client.pipe(upstream).pipe(client);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(serverUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  url.searchParams.delete("host");
  const endAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  const standStill = () => {
    for (const socket of sockets) socket.unpipe().pause();
  };
  return {
    url: url.href,
    cut() {
      isCut = true;
      endAll();
    },
    hang() {
      hangs = true;
      standStill();
    },
    strand: standStill,
    restore() {
      if (hangs) endAll();
      [isCut, hangs] = [false, false];
    },
    async close() {
      endAll();
      server.close();
      await once(server, "close");
    },
  };
}

/** A server of PostgreSQL listens on a port, or on a socket in the folder that the parameter `host` names. */
function addressOf(serverUrl: string): { host: string; port: number } | { path: string } {
  const { hostname, port, searchParams } = new URL(serverUrl);
  const folder = searchParams.get("host");
  return folder ? { path: `${folder}/.s.PGSQL.${port || "5432"}` } : { host: hostname, port: Number(port || "5432") };
}
