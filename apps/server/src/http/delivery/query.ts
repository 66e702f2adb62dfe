import { fail } from "#domain/failure";

/** The parameters of a query, by name, decoded, in the order of the closed list. */
export type RawQuery = ReadonlyMap<string, string>;

const NONE: RawQuery = new Map();

/**
 * Reads the query of a request target. Only names of the closed list exist, each at most once: whatever else is sent is a
 * mistake that would be ignored silently.
 */
export function readQuery(target: string, allowed: readonly string[]): RawQuery {
  const start = target.indexOf("?");
  if (start === -1 || start === target.length - 1) return NONE;
  const given = new Map<string, string>();
  let from = start + 1;
  while (from <= target.length) {
    const next = target.indexOf("&", from);
    const end = next === -1 ? target.length : next;
    if (end > from) take(given, target.slice(from, end), allowed);
    from = end + 1;
  }
  if (given.size < 2) return given;
  const ordered = new Map<string, string>();
  for (const name of allowed) {
    const value = given.get(name);
    if (value !== undefined) ordered.set(name, value);
  }
  return ordered;
}

function take(given: Map<string, string>, pair: string, allowed: readonly string[]): void {
  const equals = pair.indexOf("=");
  const name = decode(equals === -1 ? pair : pair.slice(0, equals));
  if (!allowed.includes(name)) throw unknown(name, allowed);
  if (given.has(name)) throw fail("UNKNOWN_PARAMETER", `The parameter ${name} was given twice. Send it once.`, { parameter: name });
  given.set(name, equals === -1 ? "" : decode(pair.slice(equals + 1)));
}

function decode(raw: string): string {
  let text = raw.includes("+") ? raw.replaceAll("+", " ") : raw;
  if (text.includes("%")) {
    try {
      text = decodeURIComponent(text);
    } catch {
      throw fail("INVALID_PARAMETER", "The query is not encoded correctly. Encode values with encodeURIComponent.");
    }
  }
  // No value of ours has one, and no store takes it.
  if (text.includes("\u0000")) throw fail("INVALID_PARAMETER", "The query contains a NUL character. Remove it.");
  return text;
}

function unknown(name: string, allowed: readonly string[]) {
  const shown = name.slice(0, 64);
  if (name === "page" || name === "offset") {
    return fail(
      "UNKNOWN_PARAMETER",
      `There is no ${name} parameter: paging uses cursors. Send nextCursor of the previous page as cursor, until it is null.`,
      { parameter: shown, allowed },
    );
  }
  const list = allowed.length === 0 ? "This route takes none." : `This route takes ${allowed.join(", ")}.`;
  return fail("UNKNOWN_PARAMETER", `There is no parameter "${shown}" here. ${list}`, { parameter: shown, allowed });
}
