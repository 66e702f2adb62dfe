import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chownSync, mkdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { registry } from "#operations/registry";
import { type Part, withPart } from "#test/parts";
import { openTestDatabase } from "#test/postgres";
import { openTestServices, testDisk } from "#test/services";
import { mountSmallDisk } from "./small-disk.ts";

const database = await openTestDatabase();
const services = await openTestServices({ disk: testDisk({ hasDatabase: false }) }, database);
afterAll(() => services.close());
const TABLESPACE = `small_${randomBytes(6).toString("hex")}`;

/** The tables of the install on a disk of 24 MB, beside a server that has all the room it needs. */
async function moveTables(): Promise<Part<null>> {
  const { rows } = await database.query<{ pid: number }>({ text: "SELECT pg_backend_pid() AS pid" });
  const process = `/proc/${rows[0]!.pid}`;
  const isHere = spawnSync("test", ["-d", process]).status === 0 && readFileSync(`${process}/comm`, "utf8").startsWith("postgres");
  if (!isHere) return { missing: "the PostgreSQL of the tests is on another machine" };
  const disk = mountSmallDisk(24);
  if ("missing" in disk) return disk;
  const folder = path.join(disk.part.folder, "tables");
  mkdirSync(folder);
  const { uid, gid } = statSync(process);
  chownSync(folder, uid, gid);
  await database.query({ text: `CREATE TABLESPACE ${TABLESPACE} LOCATION '${folder}'` });
  await database.query({ text: `ALTER TABLE ALL IN TABLESPACE pg_default SET TABLESPACE ${TABLESPACE}` });
  afterAll(async () => {
    await database.query({ text: `ALTER TABLE ALL IN TABLESPACE ${TABLESPACE} SET TABLESPACE pg_default` });
    await database.query({ text: `DROP TABLESPACE ${TABLESPACE}` });
    disk.part.unmount();
  });
  return { part: null, detail: disk.detail };
}

withPart("A small disk for tables", await moveTables(), () => {
  test("a database that is full elsewhere is said to be full, and nothing acknowledged is lost", async () => {
    const { actor, website } = await services.makeTenant();
    const saved: string[] = [];
    const body = () => randomBytes(150_000).toString("base64");
    const fillUp = async () => {
      for (;;) saved.push((await services.call(registry.create_post, actor, { websiteId: website.id, title: "A post", body: body() })).id);
    };
    await expect(fillUp()).rejects.toMatchObject({ code: "STORAGE_FULL", message: expect.stringContaining("make room") as string });
    expect(saved.length).toBeGreaterThan(3);
    for (const postId of saved) await services.call(registry.get_post, actor, { websiteId: website.id, postId });
  });
});
