import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { systemActor } from "#domain/actor";
import { execute } from "#operations/kernel/execute";
import { type OperationName, registry } from "#operations/registry";
import type { OwnDatabaseView } from "#operations/own-database/helpers/view";
import { runMove } from "#worker/moving/run-move";
import { type Options, ownImages as onWebsite, type Result } from "./own-images.ts";
import { progress } from "./progress.ts";
import { say } from "./with-installation.ts";

/** Attempts in a row after which the command gives up; the running service goes on trying. */
const MOST_FAILURES = 5;
const ACTOR = systemActor("stet own-db");

const run = <Name extends OperationName>({ services, websiteId }: Options, name: Name, input: Record<string, unknown> = {}) =>
  execute(services, registry[name] as never, ACTOR, { websiteId, ...input }) as Promise<OwnDatabaseView>;

const connectionIn = async ({ address, values }: Options) => {
  const file = values.get("ca-file");
  return { url: address ?? "", ca: file === undefined ? null : await readFile(file, "utf8") };
};

function describe({ home, database, move, health, left, fetching }: OwnDatabaseView): string {
  const lies = home === "own" ? "in its own database" : "on this server";
  const lines = [`The content lies ${lies}.`, `Database: ${database ? database.shown : "none is connected"}.`];
  if (database?.needsAddress) lines.push("The server cannot read its password any more: connect it again.");
  if (health.lastError !== null) lines.push(`It was not reached: ${health.lastError}`);
  if (move) {
    lines.push(`Moving ${move.direction === "out" ? "to the database" : "back"}: ${move.state}, ${move.done} of ${move.total}.`);
    if (move.comparedAt !== null) lines.push(`Every record was the same on both sides at ${move.comparedAt}.`);
    if (move.error !== null) lines.push(move.error);
  }
  if (left && left.fetchedAt === null)
    lines.push(`${left.shown} was left at ${left.leftAt} without copying back; \`own-db fetch\` brings what it has.`);
  if (fetching) {
    const { posts, versions, terms, images } = fetching.brought;
    lines.push(
      `Fetching: ${fetching.state}, ${posts} posts, ${versions} versions, ${terms} categories, tags and authors, ${images} images.`,
    );
    if (fetching.error !== null) lines.push(fetching.error);
  }
  return lines.join("\n");
}

const shown = (view: OwnDatabaseView, isDone: boolean): Result => ({ view, words: describe(view), isDone });

/** Works at the move itself, beside the running service or without one, until it is at its end. */
async function moveToEnd(options: Options, subject: "content" | "left content" = "content"): Promise<OwnDatabaseView> {
  const { services, websiteId } = options;
  const report = progress("Moved", say);
  let told: string | null = null;
  for (;;) {
    const did = await runMove(services, { websiteId, subject });
    const view = await run(options, "get_own_database");
    const move = subject === "content" ? view.move : view.fetching;
    if (!move) return view;
    report(move.done, Math.max(1, move.total));
    if (move.error !== null && move.error !== told) say((told = move.error));
    const { failures = 0 } = (await services.platform.moves.get(websiteId, subject)) ?? {};
    if (move.state !== "running" || failures >= MOST_FAILURES) return view;
    if (did === 0) await delay(500);
  }
}

export const databaseTest = onWebsite(
  "own-db test --website site_… --url-file FILE|- [--ca-file FILE] [--json]",
  { url: "needed", values: ["ca-file"] },
  async (options) => {
    const { services, websiteId } = options;
    const view = await execute(services, registry.test_own_database, ACTOR, { websiteId, ...(await connectionIn(options)) });
    const { report } = view;
    const words = report.passed
      ? `${view.shown} can hold the content: version ${report.serverVersion}, ${report.latencyMillis} ms away. ${report.readOnly ?? ""}`.trim()
      : `The step "${report.step}" failed. ${report.message}`;
    return { view, words, isDone: report.passed };
  },
);

const connect = async (options: Options) => run(options, "connect_own_database", await connectionIn(options));

export const databaseConnect = onWebsite(
  "own-db connect --website site_… --url-file FILE|- [--ca-file FILE] [--json]",
  { url: "needed", values: ["ca-file"] },
  async (options) => shown(await connect(options), true),
);

/** With an address it connects first, so that a script needs one command. */
export const databaseMigrate = onWebsite(
  "own-db migrate --website site_… [--url-file FILE|-] [--ca-file FILE] [--json]",
  { url: "possible", values: ["ca-file"] },
  async (options) => {
    if (options.address !== null) await connect(options);
    await run(options, "start_content_move");
    const view = await moveToEnd(options);
    return shown(view, view.move?.state === "done");
  },
);

/** With an address it connects first, as `migrate` does. */
export const databaseFetch = onWebsite(
  "own-db fetch --website site_… [--url-file FILE|-] [--ca-file FILE] [--json]",
  { url: "possible", values: ["ca-file"] },
  async (options) => {
    if (options.address !== null) await connect(options);
    await run(options, "fetch_left_content");
    const view = await moveToEnd(options, "left content");
    return shown(view, view.fetching?.state === "done");
  },
);

export const databaseActivate = onWebsite("own-db activate --website site_… [--json]", { url: "none" }, async (options) => {
  await run(options, "activate_own_database");
  const view = await moveToEnd(options);
  return shown(view, view.home === "own");
});

export const databaseStop = onWebsite("own-db stop --website site_… [--json]", { url: "none" }, async (options) =>
  shown(await run(options, "stop_content_move"), true),
);

export const databaseDisconnect = onWebsite(
  "own-db disconnect --website site_… [--without-copying --confirm NAME] [--json]",
  { url: "none", flags: ["without-copying"], values: ["confirm"] },
  async (options) => {
    const withoutCopying = options.flags.has("without-copying");
    const begun = await run(options, "disconnect_own_database", { withoutCopying, confirmName: options.values.get("confirm") });
    const view = begun.database ? await moveToEnd(options) : begun;
    return shown(view, view.database === null);
  },
);

export const databaseStatus = onWebsite("own-db status --website site_… [--json]", { url: "none" }, async (options) =>
  shown(await run(options, "get_own_database"), true),
);

/** JSON in either case: it is kept, and compared. */
export const databaseReport = onWebsite("own-db report --website site_… [--json]", { url: "none" }, async (options) => {
  const { services, websiteId } = options;
  const view = await execute(services, registry.get_content_move_report, ACTOR, { websiteId });
  return { view, words: JSON.stringify(view, null, 2), isDone: true };
});
