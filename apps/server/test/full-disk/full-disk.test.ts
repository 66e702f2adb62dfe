import { createHash, randomBytes } from "node:crypto";
import { readdir, rm } from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { announce, withPart } from "#test/parts";
import { startEmbeddedService, type EmbeddedService } from "./embedded-service.ts";
import { largePng } from "./large-png.ts";
import { mountSmallDisk } from "./small-disk.ts";

// A service of its own starts, crashes and recovers here, on machines that may be busy.
vi.setConfig({ testTimeout: 300_000 });

const MB = 1024 * 1024;
const found = mountSmallDisk(260);
if (!("missing" in found)) {
  announce("A small disk", found.detail);
  afterAll(() => found.part.unmount());
}

withPart("A small disk", found, (disk) => {
  let service: EmbeddedService;
  const posts = new Map<string, string>();
  const images = new Map<string, { address: string; hash: string }>();
  beforeAll(async () => {
    service = await startEmbeddedService(path.join(disk.folder, "data"));
  });
  afterAll(() => service.stop(), 180_000);

  /** Text that does not compress, so that it takes the room it seems to take. */
  const savePost = async (bytes: number) => {
    const body = randomBytes(bytes * 0.75).toString("base64");
    const answer = await service.rpc("create_post", { title: "A post", body });
    if (answer.status === 200) posts.set(answer.data.id, body);
    return answer;
  };
  const upload = async (bytes: number) => {
    const png = largePng(bytes);
    const answer = await service.upload(png);
    if (answer.status === 200) images.set(answer.data.id, { address: answer.data.url, hash: sha256(png) });
    return answer;
  };
  const read = () => service.read("/blog/posts?limit=3");

  /** Reads while `work` writes; every read must succeed. */
  async function whileReading<T>(work: () => Promise<T>): Promise<T> {
    let done = false;
    const reader = (async () => {
      const statuses = new Set<number>();
      for (; !done; await new Promise((resolve) => setTimeout(resolve, 20))) statuses.add(await read());
      return [...statuses];
    })();
    try {
      return await work();
    } finally {
      done = true;
      expect(await reader).toEqual([200]);
    }
  }

  /** Several writers until each of them was refused; answers their refusals. */
  const untilRefused = (write: () => ReturnType<typeof savePost>) =>
    whileReading(() =>
      Promise.all(
        [1, 2, 3, 4].map(async () => {
          for (;;) {
            const answer = await write();
            if (answer.status !== 200) return answer;
          }
        }),
      ),
    );

  test("as it fills up, images are refused first, then large saves, then all; reading and deleting go on", async () => {
    expect(await read()).toBe(200);
    expect(service.logged("free on the disk")).toBe("");

    await disk.fill(110 * MB);
    for (const refusal of await untilRefused(() => upload(4 * MB))) {
      expect(refusal).toMatchObject({
        status: 507,
        problem: { code: "STORAGE_FULL", detail: expect.stringContaining("make room") as string },
      });
    }
    expect(service.logged("free on the disk")).toContain("warn");
    await disk.fill(66 * MB);
    for (const refusal of await untilRefused(() => savePost(600_000))) {
      expect(refusal).toMatchObject({ status: 507, problem: { code: "STORAGE_FULL" } });
    }
    expect(await savePost(1_000)).toMatchObject({ status: 200 });
    expect((await service.rpc("get_home", {})).data.alerts).toMatchObject([{ kind: "disk-space" }]);
    expect(await service.metric("stet_disk_level")).toBe(2);

    await disk.fill(36 * MB);
    for (const refusal of await untilRefused(() => savePost(40_000))) {
      expect(refusal).toMatchObject({ status: 507, problem: { code: "STORAGE_FULL" } });
    }
    expect(await disk.freeBytes()).toBeGreaterThan(4 * MB);
    const [gone] = posts.keys();
    posts.delete(gone!);
    expect(await service.rpc("delete_post", { postId: gone!, expectedVersion: 1 })).toMatchObject({ status: 200 });
    expect(await service.command("doctor")).toMatch(/!! Only \d+ MB are free/);
  });

  const query = async (text: string): Promise<void> => {
    const client = new pg.Client({ host: path.join(disk.folder, "data/postgres"), user: "stet", database: "stet" });
    client.on("error", () => {});
    try {
      await client.connect();
      await client.query(text);
    } finally {
      await client.end().catch(() => {});
    }
  };
  /** PostgreSQL ends when it cannot make the next file of its log. */
  const askForNextFile = () => query("SELECT pg_logical_emit_message(false, 'test', 'more'); SELECT pg_switch_wal()");
  /** Another program takes all the room there is, until the service says `words`. */
  const fillUntilLogged = async (words: string) => {
    await disk.fill();
    const nextFile = async () => {
      if (service.logged(words) !== "") return service.logged(words);
      await askForNextFile().then(
        // It went on, or had recovered with room that was freed. What was freed because of `words` is left to it.
        async () => {
          if (service.logged(words) === "") await disk.fill();
        },
        () => {},
      );
      return service.logged(words);
    };
    await expect.poll(nextFile, { timeout: 100_000, interval: 20 }).not.toBe("");
  };
  // A PostgreSQL that stays in recovery is ended after half a minute and started again, on a busy machine more than once.
  const isReady = () => expect.poll(() => service.status("/readyz"), { timeout: 150_000 }).toBe(200);

  test("filled to the last byte by another program, PostgreSQL starts again after a crash: a reserve was kept for it", async () => {
    // Keeps the files of its log, so that the next one is always a new one.
    await query("SELECT pg_create_physical_replication_slot('all', true)");
    await expect.poll(read).toBe(200);
    await whileReading(async () => {
      await fillUntilLogged("The reserve is used up");
      await isReady();
    });
    expect(await savePost(1_000)).toMatchObject({ status: 507, problem: { code: "STORAGE_FULL" } });
  });

  test("without the reserve it cannot start: what was read before is still read, and it comes back by itself with the room", async () => {
    await whileReading(() => fillUntilLogged("Make room: it is tried again"));
    expect(service.hasEnded()).toBe(false);
    await disk.empty();
    await isReady();
    expect(await read()).toBe(200);
    await query("SELECT pg_drop_replication_slot('all')");
  });

  test("nothing that was acknowledged is lost, and with room again everything works", async () => {
    expect(posts.size).toBeGreaterThan(3);
    expect(images.size).toBeGreaterThan(3);
    for (const [postId, body] of posts) expect((await service.rpc("get_post", { postId })).data.working.body === body, postId).toBe(true);
    for (const { address, hash } of images.values()) expect(sha256(await service.bytes(address)), address).toBe(hash);
    for (const mediaId of images.keys()) {
      expect(await service.rpc("delete_media", { mediaId })).toMatchObject({ status: 200 });
      expect(await service.rpc("purge_media", { mediaId })).toMatchObject({ status: 200 });
    }
    await expect.poll(async () => (await savePost(600_000)).status).toBe(200);
    await expect.poll(async () => (await upload(4 * MB)).status).toBe(200);
    await expect.poll(() => readdir(path.join(disk.folder, "data"))).toContain("reserve");
  });

  test("it stops when it is asked to, with PostgreSQL down for lack of room", async () => {
    await query("SELECT pg_create_physical_replication_slot('all', true)");
    await rm(path.join(disk.folder, "data/reserve"), { force: true });
    const nextFile = async () => {
      await disk.fill();
      await askForNextFile().catch(() => {});
      return service.status("/readyz");
    };
    await expect.poll(nextFile, { timeout: 100_000, interval: 20 }).toBe(503);
    await service.stop();
    expect(service.hasEnded()).toBe(true);
  });
});

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
