import { isIP } from "node:net";
import { availableParallelism } from "node:os";
import { HOSTED_PLAN_NAMES } from "@stet/contract";
import { z } from "zod";
import { parseS3Address } from "#adapters/s3-images/s3-address";

/** One setting: how its text is read, and what docs/settings.md says about it. */
interface Setting<T> {
  /** The behaviour when it is not set, in words for people. */
  readonly unset: string;
  readonly about: string;
  /** Reads the text; messages continue the sentence "PORT …". */
  readonly schema: z.ZodType<T, string>;
  /** It can also be in a file, which `NAME_FILE` names. */
  readonly holdsSecret: boolean;
}

const setting = <T>(schema: z.ZodType<T, string>, unset: string, about: string): Setting<T> => ({
  schema,
  unset,
  about,
  holdsSecret: false,
});
const secretSetting = <T>(...given: Parameters<typeof setting<T>>): Setting<T> => ({ ...setting(...given), holdsSecret: true });

const text = z.string();
const choice = <const T extends string>(...values: readonly T[]) =>
  z.enum(values, { error: `must be ${values.slice(0, -1).join(", ")} or ${values.at(-1)}.` }) as unknown as z.ZodType<T, string>;

const address = (schemes: readonly string[], example: string) =>
  text.refine((value) => schemes.some((scheme) => value.startsWith(`${scheme}://`) && value.length > scheme.length + 3), {
    error: `must be an address such as ${example}.`,
  });

const bucket = text.transform((value, context) => {
  const address = parseS3Address(value);
  if (typeof address !== "string") return address;
  context.addIssue({ code: "custom", message: address });
  return z.NEVER;
});

/** An origin only: the paths below it are fixed, and a path here would be dropped silently otherwise. */
const origin = text.transform((value, context) => {
  const url = URL.canParse(value) ? new URL(value) : null;
  const plain = url && /^https?:$/.test(url.protocol) && url.pathname === "/" && !url.search && !url.hash && !url.username && !url.password;
  if (plain) return url.origin;
  context.addIssue({ code: "custom", message: "must be the address people use, without a path, such as https://blog.example.com." });
  return z.NEVER;
});

/** An address, with or without a name in front of it. */
const sender = text.refine((value) => /^(?:[^<>\r\n"]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(value), {
  error: "must be an email address, such as Stet <stet@example.com>.",
});

const host = text.refine((value) => isIP(value) !== 0 || /^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(value), {
  error: "must be an IP address or a host name, such as 127.0.0.1 or 0.0.0.0.",
});

const port = text
  .regex(/^\d{1,5}$/, { error: "must be a number from 1 to 65535." })
  .transform(Number)
  .refine((value) => value >= 1 && value <= 65_535, { error: "must be a number from 1 to 65535." });

const drainSeconds = text
  .regex(/^\d{1,4}$/, { error: "must be a number of seconds from 1 to 3600." })
  .transform(Number)
  .refine((value) => value >= 1 && value <= 3_600, { error: "must be a number of seconds from 1 to 3600." });

const minutes = (least: number, most: number) =>
  text
    .regex(/^\d{1,6}$/, { error: `must be a number of minutes from ${least} to ${most}.` })
    .transform(Number)
    .refine((value) => value >= least && value <= most, { error: `must be a number of minutes from ${least} to ${most}.` });

/** With fewer, work that holds a connection while it needs another one could wait for itself. */
const connections = text
  .regex(/^\d{1,4}$/, { error: "must be a number from 4 to 1000." })
  .transform(Number)
  .refine((value) => value >= 4 && value <= 1_000, { error: "must be a number from 4 to 1000." });

const processes = text
  .regex(/^(?:auto|\d{1,2})$/, { error: "must be a number from 1 to 64, or auto." })
  .transform((value) => (value === "auto" ? Math.min(availableParallelism(), 8) : Number(value)))
  .refine((value) => value >= 1 && value <= 64, { error: "must be a number from 1 to 64, or auto." });

const diskMegabytes = text.regex(/^\d{1,9}$/, { error: "must be a number of megabytes, such as 500, or 0 for never." }).transform(Number);

/** Less would make the same variants over and over. */
const cacheMegabytes = text
  .regex(/^\d{1,9}$/, { error: "must be a number of megabytes from 64." })
  .transform(Number)
  .refine((value) => value >= 64, { error: "must be a number of megabytes from 64." });

/** Fewer would all be taken by the sweep when it visits those that are dead. Each takes three sockets a connection. */
const openDatabases = text
  .regex(/^\d{1,5}$/, { error: "must be a number from 50 to 10000." })
  .transform(Number)
  .refine((value) => value >= 50 && value <= 10_000, { error: "must be a number from 50 to 10000." });

/** Everything, or a list of addresses and networks. "false" is the empty list. */
const networks = text.transform((value, context): true | readonly string[] => {
  if (value === "true") return true;
  if (value === "false") return [];
  const list = value.split(",").map((entry) => entry.trim());
  const wrong = list.filter((entry) => !isNetwork(entry));
  if (wrong.length === 0) return list;
  context.addIssue({
    code: "custom",
    message: `must be true, false, or a list of networks such as 10.0.0.0/8,fd00::/8. Not a network: ${wrong.map((entry) => `"${entry}"`).join(", ")}.`,
  });
  return z.NEVER;
});

const addressList = text.transform((value, context): readonly string[] => {
  const list = value.split(",").map((entry) => entry.trim());
  if (list.every(isNetwork)) return list;
  context.addIssue({ code: "custom", message: "must be a list of IP addresses or networks, such as 203.0.113.7,2001:db8::/64." });
  return z.NEVER;
});

function isNetwork(entry: string): boolean {
  const [ip = "", bits, ...rest] = entry.split("/");
  const version = isIP(ip);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

const secrets = text.transform((value, context): readonly string[] => {
  const list = value.split(",").map((entry) => entry.trim());
  if (list.every((entry) => entry.length >= 32)) return list;
  // Never quotes a secret: this message ends up in logs.
  context.addIssue({
    code: "custom",
    message:
      "must be at least 32 characters, or several of them separated by commas (the first is current). `openssl rand -hex 32` makes one.",
  });
  return z.NEVER;
});

/** Connections of one machine, by pool: five machines fit the hundred that PostgreSQL allows unless it is told otherwise. */
export const POOL_SIZES = { reads: 6, writes: 6, jobs: 4 } as const;

/** Every setting there is, in the order of the docs page. All are optional. */
export const SETTINGS = {
  PORT: setting(port, "4000", "The port the service listens on."),
  HOST: setting(
    host,
    "127.0.0.1",
    "The address the service listens on. Anything beyond this machine (such as `0.0.0.0`) needs `PUBLIC_URL` as well.",
  ),
  PUBLIC_URL: setting(
    origin,
    "`http://HOST:PORT`",
    "The address people and programs use, such as `https://blog.example.com`. Links, cookies and tokens depend on it; it is never taken from a request.",
  ),
  STET_DATA: setting(
    text,
    "`./data`",
    "The folder that holds the embedded database, uploaded images and the generated secret. Back it up ([how](running.md#back-up-and-restore)).",
  ),
  DATABASE_URL: secretSetting(
    address(["postgres", "postgresql"], "postgres://user:password@host:5432/stet"),
    "an embedded PostgreSQL in `STET_DATA`",
    "A PostgreSQL (15 or newer) of your own, for installs that outgrow one machine. The user must own the database. Several servers of which one takes writes: `postgres://user:password@one:5432,two:5432/stet` ([more](running.md#a-postgresql-of-your-own)).",
  ),
  DATABASE_POOLER: setting(
    choice("none", "transaction"),
    "none",
    "`transaction`: between the service and `DATABASE_URL` is a pooler in transaction mode, such as pgbouncer. Without this the service does not start behind one, or half of its statements fail ([more](running.md#behind-a-pooler)).",
  ),
  DATABASE_DIRECT_URL: secretSetting(
    address(["postgres", "postgresql"], "postgres://user:password@host:5432/stet"),
    "changes of other nodes are looked for twice a second",
    "The address of the same database past the pooler, for one connection per process on which changes of other nodes are heard at once. Only with `DATABASE_POOLER`.",
  ),
  DATABASE_READ_URL: secretSetting(
    address(["postgres", "postgresql"], "postgres://user:password@replica:5432/stet"),
    "everything is read from `DATABASE_URL`",
    "A replica of `DATABASE_URL`, or several behind one address, for the read API. Answers are never older than without it: while a replica is behind or away, the primary is asked ([more](running.md#replicas)).",
  ),
  CONTENT_URL: secretSetting(
    address(["mongodb", "mongodb+srv"], "mongodb://user:password@host:27017/stet"),
    "content is kept in PostgreSQL",
    "A MongoDB-compatible cluster that holds the content of all websites. With it, websites cannot have [their own database](own-database.md#what-differs).",
  ),
  STET_READ_CONNECTIONS: setting(
    connections,
    String(POOL_SIZES.reads),
    "How many connections to PostgreSQL the read API of a machine uses at most. It never waits for those that save ([more](running.md#connections-to-the-database)).",
  ),
  STET_WRITE_CONNECTIONS: setting(
    connections,
    String(POOL_SIZES.writes),
    "How many connections the dashboard, connected apps and the command line use at most.",
  ),
  STET_JOB_CONNECTIONS: setting(
    connections,
    String(POOL_SIZES.jobs),
    "How many connections are used at most for schedules, webhooks and everything else that is done later.",
  ),
  REDIS_URL: secretSetting(
    address(["redis", "rediss"], "redis://host:6379"),
    "the limits of several nodes are kept in PostgreSQL",
    "A Redis or Valkey (one server, not a cluster) that keeps the limits that several nodes share. The same for every node ([more](running.md#several-nodes)).",
  ),
  MEDIA_URL: secretSetting(
    bucket,
    "images are kept in `STET_DATA`",
    "A bucket of S3, R2 or anything that speaks their protocol, for uploaded images: `s3://KEY:SECRET@HOST/BUCKET?region=…&style=path|host&token=…` ([more](running.md#images-in-a-bucket)).",
  ),
  SMTP_URL: secretSetting(
    address(["smtp", "smtps"], "smtps://user:password@host:465"),
    "no email is sent; links are shown instead",
    "The mail server for invitations, password resets and notices to owners. `smtp://` is encrypted by STARTTLS or not used, unless the server is on this machine or the address ends in `?requireTLS=false`.",
  ),
  STET_MAIL_FROM: setting(
    sender,
    "`Stet <no-reply@…>` with the host of `PUBLIC_URL`",
    "The sender of every email, such as `Stet <stet@example.com>`. Its domain should be one that the mail server may send for.",
  ),
  STET_SECRET: secretSetting(
    secrets,
    "generated once into `STET_DATA/secret`",
    "The server secret, at least 32 characters; every machine of an install needs the same. Several are separated by commas: the first is used for everything new, all are accepted ([how to rotate it](running.md#the-server-secret)).",
  ),
  STET_PLANS: setting(
    text,
    "the built-in plans",
    'A JSON file that overrides any number of the plans, such as `{"free":{"websites":10,"liveKeys":null}}`; `null` means no limit. Limits of your own server: `{"unlimited":{"storageBytes":50000000000}}`.',
  ),
  STET_SIGNUPS: setting(
    choice("invited", "open"),
    "invited",
    "Who can create an account: `invited` people only, or anyone (`open`). Everyone who signs up can create workspaces. Without `SMTP_URL` an open sign-up cannot check addresses, and tells which of them have an account.",
  ),
  STET_DEFAULT_PLAN: setting(
    choice(...HOSTED_PLAN_NAMES),
    "the first workspace is `unlimited`, others start on `free`",
    "The plan every new workspace starts on, for a server you host for others: `free`, `starter` or `team` ([more](running.md#limits-are-yours-to-set)).",
  ),
  STET_PLAN_CHANGES: setting(
    choice("owner", "operator"),
    "owner",
    "Who changes a workspace's plan: its `owner` in the dashboard, or only the `operator` with `stet plan set`.",
  ),
  STET_ALLOW_PRIVATE_TARGETS: setting(
    networks,
    "false",
    "Lets webhooks and own databases reach private addresses and plain http: `true`, or a list of networks such as `10.0.0.0/8`. For development and closed networks.",
  ),
  STET_OWN_DATABASES_OPEN: setting(
    openDatabases,
    "500",
    "How many databases of websites' owners a node keeps open at once. A database that is not used for a minute is closed; above this number, the least recently used one is closed ([more](own-database.md#limits)).",
  ),
  STET_OUTGOING_ADDRESSES: setting(
    addressList,
    "the dashboard says how to find them out",
    "The IP addresses that this server's connections come from, separated by commas, such as `203.0.113.7, 2001:db8::/64`. Shown to owners of websites whose database or firewall accepts known addresses only.",
  ),
  STET_TRUST_PROXY: setting(
    networks,
    "false",
    "The proxies whose `X-Forwarded-For` is trusted: a list of networks, or `true` for all. Without it every client behind a proxy shares one rate limit.",
  ),
  STET_TOOL_TOKEN_MINUTES: setting(
    minutes(1, 1_440),
    "60",
    "How long an access token of a connected app lasts before it fetches the next one. Disconnecting an app or reducing its access applies on its next request, whatever this value is.",
  ),
  STET_METRICS: setting(
    choice("on", "off"),
    "on where only this machine can reach the service, else off",
    "Whether `/metrics` answers, for Prometheus. It names no website and no key; where others can reach it, restrict it at the proxy.",
  ),
  STET_DISK_WARN_MB: setting(
    diskMegabytes,
    "a fifth of the disk, from 96 to 2048",
    "Below so many free megabytes on the disk of `STET_DATA`, owners and the log are warned ([more](running.md#when-the-disk-fills-up)). `0`: never.",
  ),
  STET_DISK_LARGE_MB: setting(
    diskMegabytes,
    "a tenth of the disk, from 64 to 500",
    "Below so many free megabytes images, imports and saves of more than 256 KB are refused with 507. `0`: never.",
  ),
  STET_DISK_STOP_MB: setting(
    diskMegabytes,
    "a twentieth of the disk, from 32 to 100",
    "Below so many free megabytes every save is refused with 507, unless the database is elsewhere (`DATABASE_URL`). Reading and deleting go on. `0`: never.",
  ),
  STET_CACHE_MB: setting(
    cacheMegabytes,
    "64",
    "The size of the memory cache of the read API, in megabytes. Half of it is for whole answers, half for single posts that lists are built from. The least recently used are dropped first. A page of a blog takes some 10 to 50 KB: with thousands of websites on one node, give it more.",
  ),
  STET_IMAGE_CACHE_MB: setting(
    cacheMegabytes,
    "2048",
    "How many megabytes in `STET_DATA/variants` the smaller versions of images may take. They are made when they are first asked for; those that were not read for longest go first, and count against no plan.",
  ),
  STET_PROCESSES: setting(
    processes,
    "1",
    "How many processes answer requests on this machine: a number up to 64, or `auto` for one per core, at most 8 ([more](running.md#all-cores-of-a-machine)).",
  ),
  STET_DRAIN_SECONDS: setting(
    drainSeconds,
    "10",
    "How long requests can take to finish when the service is asked to stop, in seconds. Let systemd, Docker or Kubernetes wait ten seconds longer before they kill it.",
  ),
  STET_LOG: setting(choice("debug", "info", "warn", "error", "silent"), "info", "How much is logged."),
} as const;

export type SettingName = keyof typeof SETTINGS;
export type SettingValue<K extends SettingName> = z.output<(typeof SETTINGS)[K]["schema"]>;
