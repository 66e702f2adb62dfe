import { once } from "node:events";
import { type AddressInfo, connect, type Socket } from "node:net";
import { createServer, type TlsOptions } from "node:tls";

export interface TlsProxy {
  readonly port: number;
  connections: number;
  /** Ends every connection, and refuses new ones until `restore`. */
  cut(): void;
  restore(): void;
  close(): Promise<void>;
}

/** Gives a server TLS that has none, and can take it away from its clients. */
export async function openTlsProxy(serverUrl: string, tls: TlsOptions): Promise<TlsProxy> {
  const { hostname, port } = new URL(serverUrl);
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer(tls, (client) => {
    if (isCut) return void client.destroy();
    const upstream = connect(Number(port), hostname);
    proxy.connections += 1;
    client.on("close", () => (proxy.connections -= 1));
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket
        .on("error", () => {})
        .on("close", () => {
          sockets.delete(socket);
          client.destroy();
          upstream.destroy();
        });
    }
    client.pipe(upstream).pipe(client);
  });
  server.on("tlsClientError", () => {});
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const endAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  const proxy: TlsProxy = {
    port: (server.address() as AddressInfo).port,
    connections: 0,
    cut() {
      isCut = true;
      endAll();
    },
    restore() {
      isCut = false;
    },
    async close() {
      endAll();
      server.close();
      await once(server, "close");
    },
  };
  return proxy;
}
