import { EventEmitter } from "node:events";
import { pino, type Logger } from "pino";
import { Failure } from "#domain/failure";
import { isOutage } from "#http/shared/problem";
import type { Config } from "./config.ts";

export type Log = Logger;

/** Names under which a secret may reach a log line, at any of the first levels. Their values are never written. */
const SECRET_NAMES = [
  "authorization",
  "cookie",
  "password",
  "passwordHash",
  "token",
  "accessToken",
  "refreshToken",
  "secret",
  "secrets",
  "apiKey",
  "key",
  "connectionString",
  "databaseUrl",
  "databaseDirectUrl",
  "databaseReadUrl",
  "contentUrl",
  "redisUrl",
  "mediaUrl",
  "smtpUrl",
];
const PATHS = SECRET_NAMES.flatMap((name) => [name, `*.${name}`, `*.*.${name}`, `*.*.*.${name}`]).concat(
  ["set-cookie", "x-api-key"].flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]),
);

export interface LogStream {
  write(line: string): void;
}

/** One JSON object a line, or plain text where a person reads along. `stream` is where it goes. */
export function createLog(level: Config["logLevel"], stream: LogStream & { isTTY?: boolean } = process.stdout): Log {
  // Without a listener Node ends the process: because the disk with the log file is full, a terminal was closed, or the reader of a pipe is gone.
  if (stream instanceof EventEmitter && stream.listenerCount("error") === 0) stream.on("error", () => {});
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: PATHS, censor: "[hidden]" },
      serializers: { err: describe },
    },
    stream.isTTY ? { write: (line: string) => stream.write(readable(line)) } : stream,
  );
}

/** An error with its stack, unless it is one that comes with running a service: then where it was thrown says nothing. */
function describe(error: unknown): unknown {
  if (!(error instanceof Error) || !isExpected(error)) return pino.stdSerializers.err(error as Error);
  const { name, message, cause } = error;
  const { code } = error as NodeJS.ErrnoException;
  return { type: name, message, ...(code !== undefined && { code }), ...(cause instanceof Error && { cause: describe(cause) }) };
}

/** A refusal in words of ours, a database or a client that went away, and what a library refuses with a status of 4xx. */
function isExpected(error: Error): boolean {
  if (error instanceof Failure) return error.cause === undefined || (error.cause instanceof Error && isExpected(error.cause));
  const { statusCode, status } = error as { statusCode?: unknown; status?: unknown };
  const answered = statusCode ?? status;
  return isOutage(error) || (typeof answered === "number" && answered >= 400 && answered < 500);
}

/** `12:34:56 warn  message  name=value …`, with a stack on lines of its own. */
export function readable(line: string): string {
  const { time, level, msg, err, ...facts } = JSON.parse(line) as Record<string, unknown> & {
    err?: { stack?: string; type?: string; message?: string };
  };
  const rest = Object.entries(facts)
    .map(([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(" ");
  const stack = err ? `\n${err.stack ?? `${err.type}: ${err.message}`}` : "";
  return `${String(time).slice(11, 19)} ${String(level).padEnd(5)} ${String(msg)}${rest ? `  ${rest}` : ""}${stack}\n`;
}
