import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { BSON } from "mongodb";
import { toPostDocument } from "#adapters/mongodb/post-document";
import type { WebsiteId } from "#domain/ids";
import { buildPublishedPost, testId } from "#test/builders";
import { openScriptedCluster } from "./scripted-cluster.ts";

/**
 * Databases at every address of this machine, in a process of their own: at one port those that answer with a few posts of whichever website
 * is asked for, at another those that accept and say nothing, at a third those whose connections are never accepted. Run with `fork`.
 */
const POSTS = Array.from({ length: 5 }, (_, n) => toPostDocument(buildPublishedPost(n + 1)));

const batch = (found: readonly object[]) => ({ cursor: { id: BSON.Long.ZERO, ns: "stet.stet", firstBatch: found }, ok: 1 });
const postsOf = (websiteId: WebsiteId) => POSTS.map((post, n) => ({ ...post, _id: `${websiteId}/${testId("post", n + 1)}`, w: websiteId }));

const healthy = await openScriptedCluster({
  host: "0.0.0.0",
  script: {
    find: ({ find, filter }) => {
      const { w } = filter as { w?: unknown };
      return batch(find === "posts" && typeof w === "string" ? postsOf(w as WebsiteId) : []);
    },
    aggregate: batch([]),
  },
});
const hanging = await openScriptedCluster({ host: "0.0.0.0", script: { hello: undefined } });
const closed = await openBlackHole();

process.on("message", () => {
  process.send?.({ open: healthy.open, addresses: healthy.addresses, connections: healthy.connections, hanging: hanging.connections });
  healthy.commands.length = 0;
});
process.once("disconnect", () => {
  closed.child.kill("SIGKILL");
  process.exit();
});
process.send?.({ healthy: healthy.port, hanging: hanging.port, blackHole: closed.port });

/** A process that listens and then does nothing at all: when its line is full, the machine drops whoever wants to connect. */
async function openBlackHole(): Promise<{ port: number; child: ChildProcess; sockets: readonly Socket[] }> {
  const program = `const server = require("node:net").createServer().listen({ port: 0, host: "0.0.0.0", backlog: 1 }, () =>
    process.stdout.write(String(server.address().port), () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)))`;
  const child = spawn(process.execPath, ["-e", program], { stdio: ["ignore", "pipe", "inherit"] });
  const [said] = (await once(child.stdout, "data")) as [Buffer];
  const port = Number(said);
  const sockets = Array.from({ length: 8 }, () => connect(port, "127.0.0.1").on("error", () => {}));
  await Promise.all(sockets.slice(0, 2).map((socket) => once(socket, "connect")));
  return { port, child, sockets };
}
