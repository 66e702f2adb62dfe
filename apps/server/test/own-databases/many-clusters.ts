import { fork } from "node:child_process";
import { once } from "node:events";
import { freePort } from "#test/free-port";

interface Counts {
  /** Of the databases that answer: connections, the addresses at which there are some, and how many there ever were. */
  readonly open: number;
  readonly addresses: number;
  readonly connections: number;
  /** How many came to those that are silent. */
  readonly hanging: number;
}

export interface ManyClusters {
  /** The address of a database of its own: no other number has the same host. */
  healthy(n: number): string;
  /** By turns refused, accepted in silence, and never accepted. */
  dead(n: number): string;
  counts(): Promise<Counts>;
  close(): Promise<void>;
}

const hostOf = (n: number): string => `127.1.${Math.floor(n / 250)}.${1 + (n % 250)}`;

/** As many databases as there are addresses on this machine, healthy and dead, behind three ports of another process. */
export async function openManyClusters(): Promise<ManyClusters> {
  const child = fork(new URL("./many-clusters-process.ts", import.meta.url), { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const [ports] = (await once(child, "message")) as [{ healthy: number; hanging: number; blackHole: number }];
  const deadPorts = [await freePort(), ports.hanging, ports.blackHole];
  const url = (n: number, port: number) => `mongodb://${hostOf(n)}:${port}/blog`;
  return {
    healthy: (n) => url(n, ports.healthy),
    dead: (n) => url(n, deadPorts[n % deadPorts.length]!),
    async counts() {
      const answer = once(child, "message");
      child.send("counts");
      return ((await answer) as [Counts])[0];
    },
    async close() {
      const closed = once(child, "exit");
      child.disconnect();
      await closed;
    },
  };
}
