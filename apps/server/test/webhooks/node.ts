import { writeSync } from "node:fs";
import { userActor } from "#domain/actor";
import type { UserId, WebsiteId } from "#domain/ids";
import { openInstallation } from "#main/compose";
import { readConfig } from "#main/config";
import { createLog } from "#main/log";
import { execute } from "#operations/kernel/execute";
import { operations as posts } from "#operations/posts/index";
import { runWorkers } from "#worker/run-workers";

/** A node that publishes and delivers until it is killed. Each acknowledged publication is one line: the post's id. */
const [userId, websiteId] = process.argv.slice(2) as [UserId, WebsiteId];
const installation = await openInstallation(readConfig(), createLog("silent"), { role: "service", report: () => {} });
const { services } = installation;
runWorkers(services);
const actor = userActor(userId);

async function publishForEver(): Promise<never> {
  for (;;) {
    const post = await execute(services, posts.create_post, actor, { websiteId, title: "Chaos — 混沌 😀", body: "text" });
    await execute(services, posts.publish_post, actor, { websiteId, postId: post.id, expectedVersion: 1 });
    writeSync(1, `${post.id}\n`);
  }
}

await Promise.all([publishForEver(), publishForEver()]);
