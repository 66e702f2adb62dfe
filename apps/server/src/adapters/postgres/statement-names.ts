import { hash } from "node:crypto";

/** Uses after which statements are planned again for the first time; then after four times as many, and so on. */
const FIRST_USES = 256;

/**
 * Names of prepared statements: one for each SQL text, the same on every connection, and a new one as the uses grow. A plan made while a table held three rows
 * reads all of it, and the server keeps that plan until it next gathers statistics: a large import would slow down with every
 * row it writes.
 */
export function statementNames(): (text: string) => string {
  const hashes = new Map<string, string>();
  let uses = 0;
  return (text) => {
    uses += 1;
    const generation = Math.max(0, Math.ceil(Math.log2(uses / FIRST_USES) / 2));
    let name = hashes.get(text);
    if (name === undefined) {
      name = hash("sha256", text, "base64url");
      hashes.set(text, name);
    }
    return `${name}_${generation}`;
  };
}
