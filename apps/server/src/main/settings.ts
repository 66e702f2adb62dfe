import { isIP } from "node:net";
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
}

const setting = <T>(schema: z.ZodType<T, string>, unset: string, about: string): Setting<T> => ({ schema, unset, about });

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

const minutes = (least: number, most: number) =>
  text
    .regex(/^\d{1,6}$/, { error: `must be a number of minutes from ${least} to ${most}.` })
    .transform(Number)
    .refine((value) => value >= least && value <= most, { error: `must be a number of minutes from ${least} to ${most}.` });

const diskMegabytes = text.regex(/^\d{1,9}$/, { error: "must be a number of megabytes, such as 500, or 0 for never." }).transform(Number);

/** Less would make the same variants over and over. */
const cacheMegabytes = text
  .regex(/^\d{1,9}$/, { error: "must be a number of megabytes from 64." })
  .transform(Number)
  .refine((value) => value >= 64, { error: "must be a number of megabytes from 64." });

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
  DATABASE_URL: setting(
    address(["postgres", "postgresql"], "postgres://user:password@host:5432/stet"),
    "an embedded PostgreSQL in `STET_DATA`",
    "A PostgreSQL (15 or newer) of your own, for installs that outgrow one machine. The user must own the database ([more](running.md#a-postgresql-of-your-own)).",
  ),
  CONTENT_URL: setting(
    address(["mongodb", "mongodb+srv"], "mongodb://user:password@host:27017/stet"),
    "content is kept in PostgreSQL",
    "A MongoDB-compatible cluster that holds the content of all websites that have no database of their own.",
  ),
  REDIS_URL: setting(
    address(["redis", "rediss"], "redis://host:6379"),
    "rates are counted per process",
    "For a Redis that shares rate limits between several nodes. Not used yet: the service says so at start.",
  ),
  MEDIA_URL: setting(
    bucket,
    "images are kept in `STET_DATA`",
    "A bucket of S3, R2 or anything that speaks their protocol, for uploaded images: `s3://KEY:SECRET@HOST/BUCKET?region=…&style=path|host&token=…` ([more](running.md#images-in-a-bucket)).",
  ),
  SMTP_URL: setting(
    address(["smtp", "smtps"], "smtps://user:password@host:465"),
    "no email is sent; links are shown instead",
    "The mail server for invitations, password resets and notices to owners. `smtp://` is encrypted by STARTTLS or not used, unless the server is on this machine or the address ends in `?requireTLS=false`.",
  ),
  STET_MAIL_FROM: setting(
    sender,
    "`Stet <no-reply@…>` with the host of `PUBLIC_URL`",
    "The sender of every email, such as `Stet <stet@example.com>`. Its domain should be one that the mail server may send for.",
  ),
  STET_SECRET: setting(
    secrets,
    "generated once into `STET_DATA/secret`",
    "The server secret, at least 32 characters; every machine of an install needs the same. Several are separated by commas: the first makes, all are accepted ([how to rotate it](running.md#the-server-secret)).",
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
  STET_IMAGE_CACHE_MB: setting(
    cacheMegabytes,
    "2048",
    "How many megabytes in `STET_DATA/variants` the smaller versions of images may take. They are made when they are first asked for; those that were not read for longest go first, and count against no plan.",
  ),
  STET_LOG: setting(choice("debug", "info", "warn", "error", "silent"), "info", "How much is logged."),
} as const;

export type SettingName = keyof typeof SETTINGS;
export type SettingValue<K extends SettingName> = z.output<(typeof SETTINGS)[K]["schema"]>;
