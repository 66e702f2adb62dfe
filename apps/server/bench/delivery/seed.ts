import { userActor } from "#domain/actor";
import { runBootstrap } from "#main/commands/bootstrap";
import { openInstallation } from "#main/compose";
import { readConfig } from "#main/config";
import { createLog } from "#main/log";
import { execute } from "#operations/kernel/execute";
import { createKey } from "#operations/keys/create-key";
import { seedWebsite } from "#operations/sample/seed-website";
import { createWebsite } from "#operations/websites/create-website";
import { POSTS, POSTS_OF_MANY, type Seeded, WEBSITES } from "./shared.ts";

/** Writes what is read in the bench, then ends: the memory this takes is not the server's. */
const config = readConfig();
const log = createLog("warn", process.stderr);
const installation = await openInstallation(config, log, { role: "service", report: () => {} });
try {
  const { services } = installation;
  const main = await runBootstrap(
    services,
    {
      email: "bench@example.com",
      password: "a password for the bench",
      workspace: "Bench",
      website: "Large",
      plan: "team",
      posts: POSTS,
      json: true,
    },
    (message) => void process.stderr.write(`${message}\n`),
  );
  const actor = userActor(main.userId as Parameters<typeof userActor>[0]);
  const keys: string[] = [];
  for (let n = 0; n < WEBSITES; n++) {
    const { id: websiteId } = await execute(services, createWebsite, actor, { workspaceId: main.workspaceId, name: `Website ${n}` });
    await execute(services, seedWebsite, actor, { websiteId, posts: POSTS_OF_MANY });
    keys.push((await execute(services, createKey, actor, { websiteId, name: "Bench" })).key);
    if (n % 100 === 99) process.stderr.write(`Websites: ${n + 1} of ${WEBSITES}\n`);
  }
  const seeded: Seeded = { userId: main.userId, websiteId: main.websiteId, key: main.apiKey, keys };
  process.send?.(seeded);
} finally {
  await installation.close();
}
process.disconnect?.();
