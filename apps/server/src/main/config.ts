import { readFileSync } from "node:fs";
import path from "node:path";
import type { PoolSizes } from "#adapters/postgres/pools";
import type { S3Address } from "#adapters/s3-images/s3-request";
import type { HostedPlanName, PlanName } from "@stet/contract";
import type { DiskLimits } from "#domain/disk-space";
import { type Plans, planOverrides, plansWith } from "#domain/plans";
import { POOL_SIZES, SETTINGS, type SettingName, type SettingValue } from "./settings.ts";

/** Everything an operator can decide, read once at start. Nothing else reads the environment. */
export interface Config {
  readonly port: number;
  readonly host: string;
  /** Scheme, host and port, without a slash at the end. */
  readonly publicUrl: string;
  /** Absolute. */
  readonly dataFolder: string;
  /** Null: the embedded PostgreSQL. */
  readonly databaseUrl: string | null;
  /** Whether a pooler in transaction mode is in front of it. */
  readonly databasePooled: boolean;
  /** Past the pooler. */
  readonly databaseDirectUrl: string | null;
  /** Replicas, which the read API asks first. */
  readonly databaseReadUrl: string | null;
  /** Connections to PostgreSQL, at most, by pool. */
  readonly connections: PoolSizes;
  /** Null: content is kept in PostgreSQL. */
  readonly contentUrl: string | null;
  readonly redisUrl: string | null;
  /** Null: images are kept in the data folder. */
  readonly mediaUrl: S3Address | null;
  readonly smtpUrl: string | null;
  /** The sender of every letter. */
  readonly mailFrom: string;
  /** The current one first. Null: the generated one (main/secret). */
  readonly secrets: readonly string[] | null;
  readonly plans: Plans;
  readonly signups: "invited" | "open";
  readonly defaultPlan: HostedPlanName;
  /** The plan of the workspace that sets the install up: without STET_DEFAULT_PLAN the server is somebody's own. */
  readonly firstPlan: PlanName;
  readonly planChanges: "owner" | "operator";
  /** True: all of them. */
  readonly privateTargets: true | readonly string[];
  /** Customers' databases that are open at once. */
  readonly ownDatabasesOpen: number;
  /** Where connections of this server come from, for those who have to let them in. */
  readonly outgoingAddresses: readonly string[];
  /** True: whoever connects. */
  readonly trustedProxies: true | readonly string[];
  /** How long an access token of a connected tool is good. */
  readonly accessTokenSeconds: number;
  /** Whether `/metrics` answers. */
  readonly metrics: boolean;
  /** The limits that the operator chose, in bytes; the others follow from the size of the disk. */
  readonly diskLimits: Partial<DiskLimits>;
  /** How much variants of images may take on the disk. */
  readonly variantBytes: number;
  /** Of ready answers in memory. */
  readonly cacheBytes: number;
  /** Of this machine that answer requests. */
  readonly processes: number;
  /** How long requests can take to finish when the service stops. */
  readonly drainMillis: number;
  readonly logLevel: "debug" | "info" | "warn" | "error" | "silent";
}

/** All problems at once, so that they are mended in one go. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(
      `The settings have ${problems.length === 1 ? "a problem" : `${problems.length} problems`}:\n${problems.map((line) => `  - ${line}`).join("\n")}`,
    );
    this.problems = problems;
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;

export function readConfig(environment: Environment = process.env): Config {
  const problems: string[] = [];
  const read = <K extends SettingName>(name: K): SettingValue<K> | null => {
    const raw = textOf(environment, name, problems);
    if (!raw) return null;
    const parsed = SETTINGS[name].schema.safeParse(raw);
    if (parsed.success) return parsed.data as SettingValue<K>;
    problems.push(...parsed.error.issues.map((issue) => `${name} ${issue.message}`));
    return null;
  };

  const port = read("PORT") ?? 4000;
  const host = read("HOST") ?? "127.0.0.1";
  const publicUrl = read("PUBLIC_URL");
  if (!environment.PUBLIC_URL?.trim() && !isLoopback(host)) {
    problems.push(
      `HOST is ${host}, which others can reach, but PUBLIC_URL is not set. Set PUBLIC_URL to the address they use, such as https://blog.example.com: links and sign-in are bound to it.`,
    );
  }
  const address = publicUrl ?? `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
  const metrics = read("STET_METRICS");
  const defaultPlan = read("STET_DEFAULT_PLAN");
  const config: Config = {
    port,
    host,
    publicUrl: address,
    dataFolder: path.resolve(read("STET_DATA") ?? "data"),
    databaseUrl: read("DATABASE_URL"),
    databasePooled: read("DATABASE_POOLER") === "transaction",
    databaseDirectUrl: read("DATABASE_DIRECT_URL"),
    databaseReadUrl: read("DATABASE_READ_URL"),
    connections: {
      reads: read("STET_READ_CONNECTIONS") ?? POOL_SIZES.reads,
      writes: read("STET_WRITE_CONNECTIONS") ?? POOL_SIZES.writes,
      jobs: read("STET_JOB_CONNECTIONS") ?? POOL_SIZES.jobs,
    },
    contentUrl: read("CONTENT_URL"),
    redisUrl: read("REDIS_URL"),
    mediaUrl: read("MEDIA_URL"),
    smtpUrl: read("SMTP_URL"),
    mailFrom: read("STET_MAIL_FROM") ?? `Stet <no-reply@${new URL(address).hostname}>`,
    secrets: read("STET_SECRET"),
    plans: readPlans(read("STET_PLANS"), problems),
    signups: read("STET_SIGNUPS") ?? "invited",
    defaultPlan: defaultPlan ?? "free",
    firstPlan: defaultPlan ?? "unlimited",
    planChanges: read("STET_PLAN_CHANGES") ?? "owner",
    privateTargets: read("STET_ALLOW_PRIVATE_TARGETS") ?? [],
    ownDatabasesOpen: read("STET_OWN_DATABASES_OPEN") ?? 500,
    outgoingAddresses: read("STET_OUTGOING_ADDRESSES") ?? [],
    trustedProxies: read("STET_TRUST_PROXY") ?? [],
    accessTokenSeconds: (read("STET_TOOL_TOKEN_MINUTES") ?? 60) * 60,
    // Numbers of the process are for its operator: not on an address that others can reach, unless that is wanted.
    metrics: metrics === null ? isLoopback(host) && isLoopback(new URL(address).hostname) : metrics === "on",
    diskLimits: readDiskLimits(read("STET_DISK_WARN_MB"), read("STET_DISK_LARGE_MB"), read("STET_DISK_STOP_MB"), problems),
    cacheBytes: (read("STET_CACHE_MB") ?? 64) * 1024 * 1024,
    variantBytes: (read("STET_IMAGE_CACHE_MB") ?? 2048) * 1024 * 1024,
    processes: read("STET_PROCESSES") ?? 1,
    drainMillis: (read("STET_DRAIN_SECONDS") ?? 10) * 1_000,
    logLevel: read("STET_LOG") ?? "info",
  };
  if (config.databaseUrl === null && config.databasePooled)
    problems.push("DATABASE_POOLER is about the server at DATABASE_URL, which is not set. Set that too, or leave both out.");
  if (config.databaseReadUrl !== null && (config.databaseUrl === null || config.contentUrl !== null))
    problems.push(
      "DATABASE_READ_URL is a replica of DATABASE_URL with content in it: set DATABASE_URL and not CONTENT_URL, or leave it out.",
    );
  if (config.databaseDirectUrl !== null && !config.databasePooled)
    problems.push("DATABASE_DIRECT_URL leads past a pooler. Set DATABASE_POOLER=transaction too, or leave both out.");
  problems.push(...misspelt(environment));
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

/** Of a setting that holds a secret, what stands in the file that `NAME_FILE` names, as containers are given their secrets. */
function textOf(environment: Environment, name: SettingName, problems: string[]): string {
  // `PORT= npm start` and an empty line in a compose file mean "not set".
  const given = environment[name]?.trim() ?? "";
  const file = SETTINGS[name].holdsSecret ? (environment[`${name}_FILE`]?.trim() ?? "") : "";
  if (file === "") return given;
  if (given !== "") {
    problems.push(`${name} and ${name}_FILE are both set. Leave one out.`);
    return "";
  }
  try {
    const text = readFileSync(file, "utf8").trim();
    if (text === "") problems.push(`${name}_FILE names ${path.resolve(file)}, which is empty.`);
    return text;
  } catch {
    problems.push(`${name}_FILE names ${path.resolve(file)}, which cannot be read.`);
    return "";
  }
}

function readPlans(file: string | null, problems: string[]): Plans {
  if (file === null) return plansWith();
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    const reason = error instanceof SyntaxError ? `is not JSON (${error.message})` : "cannot be read";
    problems.push(`STET_PLANS names ${path.resolve(file)}, which ${reason}.`);
    return plansWith();
  }
  const parsed = planOverrides.safeParse(json);
  if (parsed.success) return plansWith(parsed.data);
  problems.push(...parsed.error.issues.map((issue) => `STET_PLANS, ${issue.path.join(".") || "the file"}: ${issue.message}.`));
  return plansWith();
}

function readDiskLimits(warn: number | null, large: number | null, stop: number | null, problems: string[]): Partial<DiskLimits> {
  const set = [warn, large, stop].filter((limit) => limit !== null);
  if (set.some((limit, index) => limit > (set[index - 1] ?? limit)))
    problems.push("STET_DISK_WARN_MB, STET_DISK_LARGE_MB and STET_DISK_STOP_MB must not rise in this order: a warning comes first.");
  const bytes = (limit: number): number => limit * 1024 * 1024;
  return {
    ...(warn !== null && { low: bytes(warn) }),
    ...(large !== null && { tight: bytes(large) }),
    ...(stop !== null && { full: bytes(stop) }),
  };
}

/** Other names that begin with STET_: the tests' own, and those that the guides use for a website that reads from here, in the same shell. */
const NOT_OURS = /^STET_(?:TEST_.*|SOAK|KEY|URL|TOKEN)$/;

/** A setting with a typing error would otherwise be ignored without a word. */
function misspelt(environment: Environment): string[] {
  return Object.keys(environment)
    .filter((name) => name.startsWith("STET_") && !NOT_OURS.test(name) && !(name in SETTINGS) && !isSecretFile(name))
    .map((name) => `${name} is not a setting. docs/settings.md lists them all.`);
}

const isSecretFile = (name: string): boolean =>
  name.endsWith("_FILE") && SETTINGS[name.slice(0, -"_FILE".length) as SettingName]?.holdsSecret === true;

const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || host === "[::1]" || /^127(\.\d{1,3}){3}$/.test(host);
