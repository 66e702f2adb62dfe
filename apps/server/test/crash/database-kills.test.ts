import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { startSession } from "#adapters/accounts/sessions";
import { systemActor, userActor } from "#domain/actor";
import { openInstallation } from "#main/compose";
import { readConfig } from "#main/config";
import { createLog } from "#main/log";
import { execute } from "#operations/kernel/execute";
import { registry } from "#operations/registry";
import type { Post } from "#domain/post";
import { startService } from "#test/service-process";
import { type Acknowledged, expectNothingLost } from "./nothing-lost.ts";
import { KILLS, openKillablePostgres, type Kill } from "./killable-postgres.ts";

const WRITERS = 20;
const ROUNDS = process.env.STET_SOAK ? 50 : KILLS.length;
/** Writes that must succeed after each kill: more than the writers have open, so that new ones are among them. */
const WRITES_AFTER = 2 * WRITERS;

describe.each(["embedded", "DATABASE_URL"] as const)("%s", (mode) => {
  test(`${ROUNDS} times PostgreSQL is taken away from ${WRITERS} writers: the service lives, says 503, serves again by itself and loses nothing`, async () => {
    const data = await mkdtemp(path.join(tmpdir(), "stet-kills-"));
    onTestFinished(() => rm(data, { recursive: true, force: true }));
    const postgres = await openKillablePostgres(mode, data);
    onTestFinished(postgres.close);
    const settings = { STET_DATA: data, ...postgres.settings };
    const install = () => openInstallation(readConfig(settings), createLog("silent"), { role: "command", report: () => {} });

    const before = await install();
    const { id: userId } = await execute(before.services, registry.create_account, systemActor("test"), {
      email: "a@example.com",
      name: "A",
      password: "correct horse battery",
    });
    const actor = userActor(userId);
    const workspace = await execute(before.services, registry.create_workspace, actor, { name: "Workspace" });
    const { id: websiteId } = await execute(before.services, registry.create_website, actor, {
      workspaceId: workspace.id,
      name: "Website",
    });
    const [cookie] = (await startSession(before.auth, userId)).split(";");
    await before.close();

    const service = await startService(settings);
    onTestFinished(service.stop);
    const acknowledged: Acknowledged[] = [];
    /** What was answered besides success. */
    const refusals = new Set<string>();
    let writing = true;

    /** Null: refused, and noted. */
    async function ask(below: string, init: RequestInit = {}): Promise<unknown> {
      const response = await service.fetch(below, { ...init, headers: { "Content-Type": "application/json", Cookie: cookie! } });
      const answer = (await response.json()) as { code?: string; detail?: string };
      if (response.ok) return answer;
      const isOutage = answer.code === "UNAVAILABLE" || answer.code === "CONTENT_STORE_UNAVAILABLE";
      const isComplete = response.status === 503 && isOutage && response.headers.get("retry-after") === "5";
      const refusal = isComplete ? "503" : `${below}: ${response.status} ${JSON.stringify(answer)}`;
      refusals.add(refusal);
      return null;
    }

    async function call(name: string, input: object): Promise<Post | null> {
      const answer = await ask(`/api/rpc/${name}`, { method: "POST", body: JSON.stringify({ websiteId, ...input }) });
      return (answer as { data: Post } | null)?.data ?? null;
    }

    async function writeOnePost(title: string): Promise<void> {
      let post = await call("create_post", { title, body: "begun" });
      if (post) acknowledged.push({ post: post.id, version: post.version, body: "begun" });
      for (let i = 0; i < 3 && post; i++) {
        const body = `${title}, edit ${i}`;
        post = await call("edit_post", { postId: post.id, expectedVersion: post.version, body });
        if (post) acknowledged.push({ post: post.id, version: post.version, body });
      }
      post &&= await call("publish_post", { postId: post.id, expectedVersion: post.version });
      if (post) acknowledged.push({ post: post.id, version: post.version, event: "post.published" });
    }

    const untilWritten = async (count: number) => {
      const wanted = acknowledged.length + count;
      const isThere = () => acknowledged.length >= wanted || service.hasEnded();
      await expect.poll(isThere, { timeout: 60_000, interval: 10 }).toBe(true);
      expect(service.hasEnded(), service.log()).toBe(false);
    };

    const writers = Promise.all(
      Array.from({ length: WRITERS }, async (_, writer) => {
        for (let n = 0; writing && !service.hasEnded(); n++) {
          await writeOnePost(`Writer ${writer}, post ${n}`);
          // The auth library answers this one.
          await ask("/api/auth/get-session");
        }
      }),
    ).catch((error: unknown) => {
      // Whoever waits for writes sees that the service ended, and says so with the end of its log.
      if (!service.hasEnded()) throw error;
    });
    for (let round = 0; round < ROUNDS; round++) {
      await untilWritten(WRITES_AFTER + ((round * 7) % 30));
      await postgres.kill(KILLS[round % KILLS.length] as Kill);
      await untilWritten(WRITES_AFTER);
    }
    writing = false;
    await writers;
    expect((await service.fetch("/readyz")).status).toBe(200);
    expect([...refusals]).toEqual(["503"]);
    await service.stop();

    const after = await install();
    onTestFinished(after.close);
    expect(acknowledged.length).toBeGreaterThan(2 * ROUNDS * WRITES_AFTER);
    await expectNothingLost(after.services, websiteId, acknowledged);
  }, 1_800_000);
});
