import { pino, type Logger } from "pino";
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
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: PATHS, censor: "[hidden]" },
    },
    stream.isTTY ? { write: (line: string) => stream.write(readable(line)) } : stream,
  );
}

/** `12:34:56 warn  message  name=value …`, with a stack on lines of its own. */
export function readable(line: string): string {
  const { time, level, msg, err, ...facts } = JSON.parse(line) as Record<string, unknown> & { err?: { stack?: string; message?: string } };
  const rest = Object.entries(facts)
    .map(([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(" ");
  const stack = err ? `\n${err.stack ?? err.message}` : "";
  return `${String(time).slice(11, 19)} ${String(level).padEnd(5)} ${String(msg)}${rest ? `  ${rest}` : ""}${stack}\n`;
}
