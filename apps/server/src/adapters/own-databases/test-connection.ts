import { randomUUID } from "node:crypto";
import type { Db } from "mongodb";
import { type ContentMarker, isConfirmable, judgeMarker } from "#domain/content-marker";
import type { TestReport, TestStep } from "#ports/own-databases";
import type { Address } from "./address.ts";
import { dial, DialFailure, type DialOptions } from "./dial.ts";
import type { OpenedClient } from "./driver.ts";
import { readMarker } from "./marker.ts";
import { findSeeds, type Seeds } from "./seeds.ts";

export interface TestOptions {
  readonly dialing: DialOptions;
  readonly open: (seeds: Seeds) => Promise<OpenedClient>;
  readonly ours: ContentMarker;
  readonly isInUse: boolean;
  /** For all steps together, in milliseconds. */
  readonly patienceMillis: number;
}

class StepFailure extends Error {
  readonly step: TestStep;

  constructor(step: TestStep, message: string, cause?: unknown) {
    super(message, { cause });
    this.step = step;
  }
}

/** MongoDB 5.0, and what says it is like it. */
const OLDEST_WIRE_VERSION = 13;
const AUTHENTICATION_FAILED = [18, 8000];
const UNAUTHORIZED = [13];
const NO_SPACE = [14_031, 17_006];

/** Tries one step after the other and names the first that fails. */
export async function testConnection(address: Address, options: TestOptions): Promise<TestReport> {
  const started = performance.now();
  let step: TestStep = "name";
  let opened: OpenedClient | null = null;
  const steps = async (): Promise<TestReport> => {
    const seeds = await findSeeds(address, options.dialing.names);
    step = "tcp";
    await reachOne(seeds, options.dialing);
    step = "authentication";
    opened = await options.open(seeds);
    const database = opened.client.db(address.database);
    const asked = performance.now();
    await database.command({ ping: 1 });
    const latencyMillis = Math.round(performance.now() - asked);
    step = "version";
    const serverVersion = await requireVersion(database);
    step = "marker";
    const judged = judgeMarker(await readMarker(database), options.ours, options.isInUse);
    const readOnly = judged.kind === "read only" ? judged.reason : null;
    // A password can be changed, and content be fetched, before a person has confirmed the database.
    if (readOnly !== null && !isConfirmable(judged, options.isInUse)) throw new StepFailure("marker", readOnly);
    step = "privileges";
    await tryEverything(database);
    return { passed: true, serverVersion, latencyMillis, readOnly };
  };
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new StepFailure(step, LATE[step] ?? LATE_ANSWER)),
      options.patienceMillis - (performance.now() - started),
    );
  });
  const work = steps();
  try {
    return await Promise.race([work, late]);
  } catch (error) {
    return { passed: false, ...failureOf(error, step, opened, address) };
  } finally {
    clearTimeout(timer);
    // What is still under way ends with the client.
    work.catch(() => {});
    void work.catch(() => {}).finally(() => opened?.close().catch(() => {}));
  }
}

const LATE_ANSWER = "The database did not answer in time. Check that it is running and not overloaded, then try again.";
const LATE: Readonly<Partial<Record<TestStep, string>>> = {
  name: "The host name was not resolved in time. Check its DNS records.",
  tcp: "The host did not answer in time. Check the port, and that its firewall lets this server in.",
};

/** One host of several is enough; if there is none, the first one's fault stands for all. */
async function reachOne({ hosts }: Seeds, dialing: DialOptions): Promise<void> {
  const attempts = hosts.slice(0, 5).map(async (host) => void (await dial(host, dialing)).destroy());
  try {
    await Promise.any(attempts);
  } catch (error) {
    throw (error as AggregateError).errors[0];
  }
}

async function requireVersion(database: Db): Promise<string> {
  const admin = database.admin();
  // Not every server that is compatible knows the newer name of the command.
  const { maxWireVersion } = await admin.command({ hello: 1 }).catch(() => admin.command({ isMaster: 1 }));
  const { version } = await admin.command({ buildInfo: 1 }).catch(() => ({ version: null as unknown }));
  if (!(Number(maxWireVersion) >= OLDEST_WIRE_VERSION)) throw new StepFailure("version", TOO_OLD);
  return typeof version === "string" && /^[\w.+-]{1,60}$/.test(version) ? version : "unknown";
}

const TOO_OLD = "The server is too old. Update it to MongoDB 5.0 or newer, or to a service that is compatible with it.";

/** Writes, indexes, reads and deletes, as the content will be; each right that is missing is named. */
async function tryEverything(database: Db): Promise<void> {
  const probe = database.collection<{ _id: string; at: Date }>("stet_test");
  const _id = randomUUID();
  const acts: readonly (readonly [string, () => Promise<unknown>])[] = [
    ["add documents", () => probe.insertOne({ _id, at: new Date() })],
    ["create indexes", () => probe.createIndex({ at: 1 }, { name: "at" })],
    ["read documents", () => probe.findOne({ _id })],
    ["change documents", () => probe.updateOne({ _id }, { $set: { at: new Date(0) } })],
    ["delete documents", () => probe.deleteOne({ _id })],
  ];
  for (const [act, run] of acts) {
    try {
      await run();
    } catch (error) {
      if (!hasCode(error, UNAUTHORIZED)) throw error;
      const first = act === "add documents" ? "The user can only read." : `The user is not allowed to ${act}.`;
      throw new StepFailure("privileges", `${first} Give it the role readWrite on the database ${database.databaseName}.`, error);
    }
  }
  // An empty collection stays where it cannot be dropped.
  await probe.drop().catch(() => {});
}

const hasCode = (error: unknown, codes: readonly number[]): boolean => codes.includes(Number((error as { code?: unknown }).code));
const textOf = (error: unknown): string => (error instanceof Error ? `${error.message} ${error.cause ? textOf(error.cause) : ""}` : "");

function failureOf(error: unknown, step: TestStep, opened: OpenedClient | null, address: Address): { step: TestStep; message: string } {
  if (error instanceof StepFailure || error instanceof DialFailure) return { step: error.step, message: error.message };
  const text = textOf(error);
  if (hasCode(error, NO_SPACE) || /space quota|out of disk|disk.{0,20}full|no space left/i.test(text))
    return { step: "storage", message: "The database has no space left. Free some, or get a larger plan there." };
  if (hasCode(error, UNAUTHORIZED) && step !== "authentication")
    return { step: "privileges", message: `The user cannot use the database ${address.database}. Give it the role readWrite on it.` };
  if (hasCode(error, [...AUTHENTICATION_FAILED, ...UNAUTHORIZED]))
    return {
      step: "authentication",
      message: address.user
        ? "The user name or password is wrong, or the user is kept in another database. Check them, and the option authSource."
        : "The server asks for a user name and password. Add them to the address.",
    };
  if (/wire version/i.test(text)) return { step: "version", message: TOO_OLD };
  const refusal = opened?.lastRefusal();
  if (refusal instanceof DialFailure) return { step: refusal.step, message: refusal.message };
  if (refusal) return { step: "version", message: `${refusal.message} This is not how a database answers; check the host and the port.` };
  const isReplicaSet = address.options.replicaSet !== undefined;
  if (step === "authentication")
    return {
      step: "tcp",
      message: isReplicaSet
        ? "No member of the replica set takes writes now. Check the option replicaSet, and that the set has a primary."
        : LATE_ANSWER,
    };
  return {
    // A command that fails while the marker is read says nothing about the marker.
    step: step === "marker" ? "version" : step,
    message: "The database refused a command. Check that it is one that speaks the protocol of MongoDB 5.0 or newer.",
  };
}

/** What a customer runs to create a user that can do just this. */
export const leastPrivileges = (database: string): string =>
  `use ${database}\ndb.createUser({ user: "stet", pwd: passwordPrompt(), roles: [{ role: "readWrite", db: "${database}" }] })`;
