import { globSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { registry } from "./registry.ts";

const HERE = import.meta.dirname;
/** The machinery that runs operations, and what is done before anybody is signed in: neither holds an operation. */
const WITHOUT_OPERATIONS = ["kernel", "without-actor"];
const OPERATIONS: ReadonlySet<unknown> = new Set(Object.values(registry));

const sources = globSync("*/**/*.ts", { cwd: HERE })
  .map((file) => file.split(path.sep))
  .filter((parts) => !parts.at(-1)!.endsWith(".test.ts"));
const inTopic = ([topic]: readonly string[]) => !WITHOUT_OPERATIONS.includes(topic!);
const isDirect = (parts: readonly string[]) => parts.length === 2 && inTopic(parts);

async function operationsIn(parts: readonly string[]): Promise<string[]> {
  const module = (await import(pathToFileURL(path.join(HERE, ...parts)).href)) as Record<string, unknown>;
  return Object.keys(module).filter((name) => OPERATIONS.has(module[name]));
}

describe("one obvious place for operations", () => {
  test("a folder of operations has an index that the registry reads", () => {
    const topics = new Set(sources.filter(inTopic).map(([topic]) => topic));
    const indexed = sources.filter((parts) => isDirect(parts) && parts[1] === "index.ts").map(([topic]) => topic);
    expect([...topics].toSorted()).toEqual(indexed.toSorted());
  });

  test("a file directly in such a folder is its index or holds an operation of the registry; helpers lie below", async () => {
    const files = sources.filter((parts) => isDirect(parts) && parts[1] !== "index.ts");
    const found = await Promise.all(files.map(async (parts) => ({ parts, names: await operationsIn(parts) })));
    expect(found.filter(({ names }) => names.length === 0).map(({ parts }) => parts.join("/"))).toEqual([]);
  });

  test("every operation of the registry lies there, and none among helpers", async () => {
    const direct = await Promise.all(sources.filter((parts) => isDirect(parts) && parts[1] !== "index.ts").map(operationsIn));
    expect(direct.flat()).toHaveLength(OPERATIONS.size);
    const others = sources.filter((parts) => !isDirect(parts));
    const elsewhere = await Promise.all(others.map(async (parts) => (await operationsIn(parts)).map((name) => [...parts, name].join("/"))));
    expect(elsewhere.flat()).toEqual([]);
  });
});
