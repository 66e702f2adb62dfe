import { writeSync } from "node:fs";
import { userActor } from "#domain/actor";
import { Failure } from "#domain/failure";
import type { UserId, WebsiteId } from "#domain/ids";
import { openInstallation } from "#main/compose";
import { readConfig } from "#main/config";
import { createLog } from "#main/log";
import { execute } from "#operations/kernel/execute";
import { operations as posts } from "#operations/posts/index";
import { runWorkers } from "#worker/run-workers";
import type { Acknowledged } from "./nothing-lost.ts";

/**
 * A service that does nothing but write, until it is killed. Each acknowledged write is one line on standard output,
 * written after the operation answered: exactly what a client would have been told.
 */
const [userId, websiteId] = process.argv.slice(2) as [UserId, WebsiteId];
const WRITERS = 4;
const tell = (line: Acknowledged) => writeSync(1, `${JSON.stringify(line)}\n`);

const installation = await openInstallation(readConfig(), createLog("silent"), {
  role: "service",
  report: (message) => writeSync(2, `${message}\n`),
  onLost: (error) => {
    writeSync(2, `lost: ${error.message}\n`);
    process.exit(1);
  },
});
const { services } = installation;
runWorkers(services);
const actor = userActor(userId);

async function writeOnePost(writer: number): Promise<void> {
  const title = `Writer ${writer}`;
  let post = await execute(services, posts.create_post, actor, { websiteId, title, body: "begun" });
  tell({ post: post.id, version: post.version, body: "begun" });
  for (let i = 0; i < 3; i++) {
    const body = `writer ${writer}, ${Date.now()}, edit ${i}`;
    post = await execute(services, posts.edit_post, actor, { websiteId, postId: post.id, expectedVersion: post.version, body });
    tell({ post: post.id, version: post.version, body });
  }
  post = await execute(services, posts.publish_post, actor, { websiteId, postId: post.id, expectedVersion: post.version });
  tell({ post: post.id, version: post.version, event: "post.published" });
}

async function writeForEver(writer: number): Promise<never> {
  for (;;) {
    try {
      await writeOnePost(writer);
    } catch (error) {
      // The database was shot: nothing was acknowledged, so nothing is owed. The next post is tried until it is back.
      if (!(error instanceof Error) || (error instanceof Failure && error.code === "NOT_FOUND")) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

await Promise.all(Array.from({ length: WRITERS }, (_, writer) => writeForEver(writer)));
