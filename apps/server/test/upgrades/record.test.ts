import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { readMigrations } from "#adapters/postgres/migrate";
import { closedAtEnd } from "#test/closed-at-end";
import { openTestDatabase } from "#test/postgres";
import { openTestServices } from "#test/services";
import { dumpRows } from "./dump-rows.ts";
import { makeInstallation } from "./make-installation.ts";

const services = closedAtEnd(await openTestServices());
const copy = closedAtEnd(await openTestDatabase());

test("the present version can be written down, and read back as it was", async () => {
  const installation = await makeInstallation(services);
  const rows = await dumpRows(services.database);
  await copy.query({ text: rows });
  expect(await dumpRows(copy)).toBe(rows);
  // Before a release, so that later versions are tested with what this one leaves.
  if (process.env.STET_TEST_RECORD === undefined) return;
  const lastMigration = (await readMigrations()).at(-1)!.name.slice(0, 4);
  const file = path.join(import.meta.dirname, `at-${lastMigration}`);
  await writeFile(`${file}.json`, `${JSON.stringify(installation, null, 2)}\n`);
  await writeFile(
    `${file}.sql`,
    `-- An installation as the version whose last migration was ${lastMigration} left it (see record.test.ts).\n\n${rows}`,
  );
});
