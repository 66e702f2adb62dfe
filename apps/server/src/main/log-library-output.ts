import { formatWithOptions, stripVTControlCharacters } from "node:util";
import type { Log } from "./log.ts";

/**
 * Text that libraries print by themselves (the auth library's own logger, notices of the OAuth library, the MCP SDK's advice) and that Node
 * warns of: a line of the log each, in its form, instead of text between its lines. Answers how to undo it.
 */
export function logLibraryOutput(log: Log): () => void {
  const { error, warn, info, log: print, debug } = console;
  const to =
    (level: "error" | "warn" | "info" | "debug") =>
    (...printed: unknown[]): void =>
      log[level]({ printed: true }, textOf(printed));
  Object.assign(console, { error: to("error"), warn: to("warn"), info: to("info"), log: to("info"), debug: to("debug") });
  const listeners = process.listeners("warning");
  process.removeAllListeners("warning");
  const onWarning = (warning: Error & { code?: string }): void =>
    log.warn({ kind: warning.name, ...(warning.code && { code: warning.code }) }, warning.message);
  process.on("warning", onWarning);
  return () => {
    Object.assign(console, { error, warn, info, log: print, debug });
    process.off("warning", onWarning);
    for (const listener of listeners) process.on("warning", listener);
  };
}

/** Without colours, and of an error what it says: where it was thrown inside a library helps nobody. */
function textOf(printed: readonly unknown[]): string {
  const said = printed.map((each) => (each instanceof Error ? `${each.name}: ${each.message}` : each));
  const text = formatWithOptions({ colors: false, breakLength: Number.POSITIVE_INFINITY, compact: true }, ...said);
  return stripVTControlCharacters(text).trim();
}
