import { writeSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { userActor } from "#domain/actor";
import { Failure } from "#domain/failure";
import type { UserId, WebsiteId } from "#domain/ids";
import { openInstallation } from "#main/compose";
import { readConfig } from "#main/config";
import { createLog } from "#main/log";
import { execute } from "#operations/kernel/execute";
import { registry } from "#operations/registry";
import type { PostView } from "#operations/posts/helpers/post-view";
import { runMove } from "#worker/moving/run-move";

/**
 * A node that moves content and writes, until it is killed. Before each write it says what it is about to save, afterwards what it was told:
 * what was never told may have been saved or not, but nothing else may be found later.
 */
const [userId, websiteId, name, secret, leaseSeconds] = process.argv.slice(2) as [UserId, WebsiteId, string, string, string];
/** Between two saves, in milliseconds: people write while content moves, they do not flood it. */
const PACE_MILLIS = 800;

/** What a post is, as far as it is compared. */
export interface Told {
  readonly kind: "saving" | "saved" | "purging" | "purged";
  readonly title: string;
  readonly id?: string;
  readonly version?: number;
  readonly slug?: string;
  readonly body?: string;
  readonly event?: string;
  readonly createdAt?: string;
}
const tell = (told: Told) => writeSync(1, `${JSON.stringify(told)}\n`);

const installation = await openInstallation({ ...readConfig(), secrets: [secret] }, createLog("silent"), {
  role: "service",
  report: () => {},
  onLost: () => process.exit(1),
});
const { services } = installation;
const actor = userActor(userId);
const here = { websiteId };

async function save(told: Omit<Told, "kind">, work: () => Promise<PostView>): Promise<PostView> {
  tell({ ...told, kind: "saving" });
  const post = await work();
  tell({ ...told, kind: "saved", id: post.id, version: post.version, slug: post.working.slug, createdAt: post.createdAt });
  await delay(PACE_MILLIS);
  return post;
}

async function writeOnePost(title: string): Promise<void> {
  const on = (post: PostView) => ({ ...here, postId: post.id, expectedVersion: post.version });
  const body = `${title}, begun`;
  let post = await save({ title, body }, () => execute(services, registry.create_post, actor, { ...here, title, body }));
  const { id } = post;
  const next = () => ({ id, version: post.version + 1 });
  post = await save({ ...next(), title, event: "post.published" }, () => execute(services, registry.publish_post, actor, on(post)));
  const renamed = { title: `${title} renamed`, slug: `${post.working.slug}-renamed`, body: `${title}, renamed` };
  post = await save({ ...next(), ...renamed }, () => execute(services, registry.edit_post, actor, { ...on(post), ...renamed }));
  post = await save({ ...next(), ...renamed, event: "post.updated" }, () => execute(services, registry.update_live_post, actor, on(post)));
  // What stays is copied and compared again with each move, so that half of it goes.
  if (!/[02468]$/.test(title)) return;
  post = await save({ ...next(), title: renamed.title, event: "post.deleted" }, () =>
    execute(services, registry.delete_post, actor, on(post)),
  );
  tell({ kind: "purging", title: renamed.title, id });
  await execute(services, registry.purge_post, actor, on(post));
  tell({ kind: "purged", title: renamed.title, id });
}

async function writeForEver(): Promise<never> {
  for (let count = 1; ; count++) {
    try {
      await writeOnePost(`${name} ${count}`);
    } catch (error) {
      // The database is away or the content moves: nothing was told, and the next post is another one.
      if (!(error instanceof Failure) || error.code === "NOT_FOUND" || error.code === "VALIDATION_FAILED") throw error;
      await delay(100);
    }
  }
}

async function moveForEver(): Promise<never> {
  for (;;) {
    const moved = await runMove(services, { websiteId, subject: "content" }, Number(leaseSeconds)).catch(() => 0);
    if (moved === 0) await delay(100);
  }
}

process.on("unhandledRejection", (error) => {
  writeSync(2, `${String(error)}\n`);
  process.exit(1);
});
await Promise.all([moveForEver(), writeForEver()]);
