import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { systemActor } from "#domain/actor";
import { isId, type WebsiteId } from "#domain/ids";
import { execute } from "#operations/kernel/execute";
import type { Services } from "#operations/kernel/services";
import { type OperationName, registry } from "#operations/registry";
import type { ImageStoreView } from "#operations/stores/helpers/store-view";
import { runMove } from "#worker/moving/run-move";
import type { Command } from "../command.ts";
import { readArguments, stopIfWrong } from "./options.ts";
import { progress } from "./progress.ts";
import { describeImages } from "./describe-images.ts";
import { say, withInstallation } from "./with-installation.ts";

/** Attempts in a row after which the command gives up; the running service goes on trying. */
const MOST_FAILURES = 5;

export interface Options {
  readonly services: Services;
  readonly websiteId: WebsiteId;
  /** The address in the file that was named; null where none was. */
  readonly address: string | null;
  readonly flags: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, string>;
}

export interface Result {
  readonly view: unknown;
  readonly words: string;
  readonly isDone: boolean;
}

/** A command on the image storage of one website, with the operator's right. The address never stands on the command line, where others see it. */
export function ownImages(
  usage: string,
  needs: { url: "needed" | "possible" | "none"; flags?: readonly string[]; values?: readonly string[] },
  work: (options: Options) => Promise<Result>,
): Command {
  return async (args) => {
    const { values, flags, problems } = readArguments(args, {
      values: ["website", ...(needs.url === "none" ? [] : ["url-file"]), ...(needs.values ?? [])],
      flags: ["json", ...(needs.flags ?? [])],
    });
    const websiteId = values.get("website") ?? "";
    const file = values.get("url-file");
    if (!isId("website", websiteId))
      problems.push(`--website must be the id of a website, as in the dashboard's address /s/site_…; got "${websiteId}".`);
    if (needs.url === "needed" && file === undefined) problems.push("--url-file must name a file with the address, or - for the input.");
    stopIfWrong(problems, usage);
    const address = file === undefined ? null : (file === "-" ? await text(process.stdin) : await readFile(file, "utf8")).trim();
    const result = await withInstallation(({ services }) => work({ services, websiteId: websiteId as WebsiteId, address, flags, values }));
    process.stdout.write(flags.has("json") ? `${JSON.stringify(result.view)}\n` : `${result.words}\n`);
    return result.isDone ? 0 : 1;
  };
}

const run = <Name extends OperationName>({ services, websiteId }: Options, name: Name, input: Record<string, unknown> = {}) =>
  execute(services, registry[name] as never, systemActor("stet images"), { websiteId, ...input }) as Promise<ImageStoreView>;

const shown = (view: ImageStoreView, isDone: boolean): Result => ({ view, words: describeImages(view), isDone });

/** Works at the move itself, beside the running service or without one, until it is at its end. */
async function moveToEnd(options: Options): Promise<ImageStoreView> {
  const { services, websiteId } = options;
  const report = progress("Moved", say);
  let told: string | null = null;
  for (;;) {
    const did = await runMove(services, { websiteId, subject: "images" });
    const view = await run(options, "get_image_store");
    const { move } = view;
    if (!move) return view;
    report(move.done, Math.max(1, move.total));
    if (move.error !== null && move.error !== told) say((told = move.error));
    const { failures = 0 } = (await services.platform.moves.get(websiteId, "images")) ?? {};
    if (move.state !== "running" || failures >= MOST_FAILURES) return view;
    if (did === 0) await delay(500);
  }
}

const TEST = "images test --website site_… --url-file FILE|- [--use-public-address] [--json]";
export const imagesTest = ownImages(TEST, { url: "needed", flags: ["use-public-address"] }, async (options) => {
  const { services, websiteId, address, flags } = options;
  const input = { websiteId, address: address!, usePublicAddress: flags.has("use-public-address") };
  const view = await execute(services, registry.test_image_store, systemActor("stet images"), input);
  const words = view.passed ? `${view.store.place} can be written, read, listed and deleted from.` : `${view.problem} ${view.help}`;
  return { view, words, isDone: view.passed };
});

const CONNECT = "images connect --website site_… --url-file FILE|- [--use-public-address] [--json]";
const connect = (options: Options) =>
  run(options, "connect_image_store", { address: options.address, usePublicAddress: options.flags.has("use-public-address") });

export const imagesConnect = ownImages(CONNECT, { url: "needed", flags: ["use-public-address"] }, async (options) =>
  shown(await connect(options), true),
);

/** With an address it connects first, so that a script needs one command. */
export const imagesMoveWebsite = ownImages(
  "images move --website site_… [--url-file FILE|-] [--json]",
  { url: "possible", flags: ["use-public-address"] },
  async (options) => {
    if (options.address !== null) await connect(options);
    await run(options, "start_image_move");
    const view = await moveToEnd(options);
    return shown(view, view.move?.state === "done" && view.managed.files === 0);
  },
);

/** What is left here is moved by this command too, not only by a service that may not run. */
export const imagesActivate = ownImages("images activate --website site_… [--json]", { url: "none" }, async (options) => {
  const view = await run(options, "activate_image_store");
  const after = view.move?.state === "running" ? await moveToEnd(options) : view;
  return shown(after, after.store?.state === "active");
});

export const imagesStop = ownImages("images stop --website site_… [--json]", { url: "none" }, async (options) =>
  shown(await run(options, "stop_image_move"), true),
);

export const imagesDisconnect = ownImages(
  "images disconnect --website site_… [--without-copying --confirm NAME] [--json]",
  { url: "none", flags: ["without-copying"], values: ["confirm"] },
  async (options) => {
    const withoutCopying = options.flags.has("without-copying");
    const begun = await run(options, "disconnect_image_store", { withoutCopying, confirmName: options.values.get("confirm") });
    const view = begun.store ? await moveToEnd(options) : begun;
    return shown(view, view.store === null);
  },
);

export const imagesStatus = ownImages("images status --website site_… [--json]", { url: "none" }, async (options) =>
  shown(await run(options, "get_image_store"), true),
);
