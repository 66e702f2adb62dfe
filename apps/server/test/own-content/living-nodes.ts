import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { expect } from "vitest";
import type { Move } from "#domain/move";
import { contentPosition } from "#operations/own-database/helpers/position";
import { TEST_SECRET, type Tenant } from "#test/services";
import type { TellingNode } from "./as-told.ts";
import { onContent, type openMoving } from "./moving.ts";

/** How long a node has a move without a word; a third of it nobody else can have it. */
const LEASE_SECONDS = 12;
/** A starved machine needs many times what a quiet one does, and the test has an end of its own. */
const PATIENCE_MILLIS = 200_000;
const NODE = path.join(import.meta.dirname, "living-node.ts");

interface LivingNode extends TellingNode {
  readonly child: ChildProcess;
}

/** Whole processes that write to a website and move its content there and back, for as long as they are let. */
export async function openLivingNodes(moving: Awaited<ReturnType<typeof openMoving>>, tenant: Tenant) {
  const data = await mkdtemp(path.join(tmpdir(), "stet-own-nodes-"));
  const [services] = moving.nodes;
  const { id: websiteId } = tenant.website;
  const at = onContent(services, tenant);
  const { url, there } = moving.newDatabase();
  const nodes: LivingNode[] = [];
  let strays = 0;
  const saves = () => nodes.reduce((sum, { told }) => sum + told.filter(({ kind }) => kind === "saved").length, 0);
  const endOf = async ({ child }: LivingNode) => {
    if (child.exitCode === null && child.signalCode === null) await once(child, "close");
  };

  /**
   * A write that takes longer than its ticket lasts, which is short here, lands in a database that nobody reads any more (decision 0058). The
   * next move there names the record, and its owner removes it. No node was told that it was saved.
   */
  async function removeStrays({ error, position }: Move): Promise<void> {
    expect(error).toContain("Use an empty database, or remove these records from it, and try again.");
    for (const { kind, id } of contentPosition(position).report!.differences) {
      expect(["post", "revision"]).toContain(kind);
      const documents = there.collection<{ _id: string; post?: string; version: number }>(`${kind}s`);
      const { _id, post = id, version } = (await documents.findOne({ _id: new RegExp(`/${id}$`) }))!;
      const saves = nodes.flatMap(({ told }) => told.filter((each) => each.kind === "saved" && each.id === post));
      expect(saves.map((save) => save.version)).not.toContain(version);
      await documents.deleteOne({ _id });
      strays += 1;
    }
  }

  /** Tickets of the dead and rests are over sooner than in real life, and what has arrived is sent on its way again. */
  async function tend(): Promise<void> {
    await services.database.query({ text: "UPDATE write_tickets SET until = now() WHERE until < now() + interval '55 seconds'" });
    await services.database.query({
      text: "UPDATE moves SET look_at = now() WHERE holder IS NULL AND changed_at < now() - interval '0.3 seconds'",
    });
    const move = await services.platform.moves.get(websiteId, "content");
    if (move?.state === "failed") await removeStrays(move);
    if (move?.state === "running") return;
    if ((await at.home()).kind === "own") return void (await at.call("disconnect_own_database"));
    const isConnected = await at.call("connect_own_database", { url }).then(
      () => true,
      // It is away right now.
      () => false,
    );
    if (isConnected) await at.call("activate_own_database");
  }
  async function until(isSo: () => boolean | Promise<boolean>, what: string): Promise<void> {
    for (const began = performance.now(); !(await isSo()); await delay(100)) {
      await tend();
      for (const { child, troubles } of nodes)
        if (child.exitCode !== null) throw new Error(`A node ended by itself: ${troubles.join("\n")}`);
      if (performance.now() - began < PATIENCE_MILLIS) continue;
      throw new Error(`It took too long until ${what}: ${JSON.stringify(await services.platform.moves.get(websiteId, "content"))}`);
    }
  }
  /** Sooner than in real life, but not while a living node may rely on it. */
  async function endLease(): Promise<void> {
    await delay(LEASE_SECONDS * (1_000 / 3));
    await at.hurry();
  }
  const oldest = () => nodes.find(({ child }) => child.exitCode === null && child.signalCode === null)!;
  return {
    nodes,
    url,
    at,
    removeStrays,
    strays: () => strays,
    tend,
    until,
    untilSaved(count: number) {
      const wanted = saves() + count;
      return until(() => saves() >= wanted, `${count} more were saved`);
    },
    start(more: Record<string, string> = {}) {
      const env = {
        PATH: process.env.PATH,
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        STET_DATA: data,
        DATABASE_URL: moving.databaseUrl,
        PUBLIC_URL: services.settings.publicUrl,
        STET_ALLOW_PRIVATE_TARGETS: "true",
        ...more,
      };
      const child = spawn(
        process.execPath,
        [NODE, tenant.owner.id, websiteId, `Node ${nodes.length}`, TEST_SECRET, String(LEASE_SECONDS)],
        { env },
      );
      const node: LivingNode = { child, told: [], troubles: [] };
      nodes.push(node);
      createInterface(child.stderr).on("line", (line) => node.troubles.push(line));
      createInterface(child.stdout).on("line", (line) => {
        // A line cut by the kill was not received, so it is not owed.
        if (line.endsWith("}")) node.told.push(JSON.parse(line) as LivingNode["told"][number]);
      });
    },
    /** Waits until a step of a move was taken, there or back, since this is asked: it is under way, and not resting because the database was away. */
    async untilMoving(): Promise<void> {
      const changed = async () => {
        const move = await services.platform.moves.get(websiteId, "content");
        return move?.failures === 0 ? move.changedAt : null;
      };
      const before = await changed();
      await until(async () => ![null, before].includes(await changed()), "a move was under way");
    },
    /** The one that has lived longest. */
    async killOne(): Promise<void> {
      const node = oldest();
      node.child.kill("SIGKILL");
      await endOf(node);
      await endLease();
    },
    /** Stops one until its lease is over and another has moved the content, and lets it go on. */
    async stopOne(): Promise<void> {
      const { child } = oldest();
      const [{ epoch }, began] = [await at.home(), performance.now()];
      child.kill("SIGSTOP");
      await endLease();
      // Stopped within a transaction it holds everybody up, and is let go on as well.
      const isLong = () => performance.now() - began > 20_000;
      await until(async () => (await at.home()).epoch > epoch || isLong(), "another node had moved the content");
      child.kill("SIGCONT");
    },
    /** Waits until the content is home again after another move, and kills them all. */
    async bringHome(): Promise<void> {
      const { epoch } = await at.home();
      const isHome = ({ kind, epoch: now }: Awaited<ReturnType<typeof at.home>>) => kind === "managed" && now > epoch;
      await until(async () => isHome(await at.home()), "the content was home again");
      for (const { child } of nodes) child.kill("SIGKILL");
      await Promise.all(nodes.map(endOf));
      await at.endTickets();
    },
    async close(): Promise<void> {
      for (const { child } of nodes) child.kill("SIGKILL");
      await Promise.all(nodes.map(endOf));
      await rm(data, { recursive: true, force: true });
    },
  };
}
