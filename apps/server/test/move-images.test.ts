import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseS3Address } from "#adapters/s3-images/s3-address";
import type { S3Address } from "#adapters/s3-images/s3-request";
import type { MediaId } from "#domain/ids";
import { imageStores, openBucket } from "#main/images";
import { registry } from "#operations/registry";
import { execute } from "#test/built-parts";
import { closedAtEnd } from "#test/closed-at-end";
import { openDashboardNode } from "#test/dashboard-node";
import { distinctImage } from "#test/images";
import { withPart } from "#test/parts";
import { openTestDatabase } from "#test/postgres";
import { type S3Server, versitygw } from "#test/s3";
import { moveImages } from "#worker/move-images";

const node = closedAtEnd(await openDashboardNode({ pages: false }));
const tenant = await node.makeTenant();
const { services } = node;
const here = { websiteId: tenant.website.id };

withPart("versitygw 1.8", versitygw.find(), (server: S3Server) => {
  let started: Awaited<ReturnType<S3Server["start"]>>;
  let bucket: ReturnType<typeof openBucket>;
  const disk = services.images.of("disk");
  beforeAll(async () => {
    started = await server.start();
    bucket = openBucket(parseS3Address(started.url) as S3Address, () => new Date());
    Object.assign(
      services.images,
      imageStores(disk, bucket.images, () => disk),
    );
  });
  afterAll(async () => {
    bucket.close();
    await started.stop();
  });

  let uploads = 0;
  const upload = async () => {
    const bytes = distinctImage(++uploads);
    const { id, url } = await services.call(registry.add_media, tenant.actor, { ...here, bytes, filename: "dot.gif" });
    return { id, url, bytes, key: `${tenant.website.id}/${id}.gif` };
  };
  const quickly = { readersMillis: 0 };
  const storeOf = async (id: string) => (await services.platform.mediaFiles.get(tenant.website.id, id as MediaId))?.store;

  test("to the disk and back with readers throughout: every address answers every time, with the same bytes, and no copy stays", async () => {
    const images = [];
    for (let n = 0; n < 30; n++) images.push(await upload());
    let isMoving = true;
    let reads = 0;
    const reading = (async () => {
      while (isMoving) {
        const { url, bytes } = images[reads++ % images.length]!;
        const answer = await fetch(node.url + url);
        expect(answer.status).toBe(200);
        expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
        // Reading without a pause would take the processor from the move that is read beside.
        await delay(5);
      }
    })();
    for (const to of ["disk", "s3", "disk", "s3"] as const) {
      // As long as a reader takes here from finding a file to opening it.
      expect(await moveImages(services, to, { readersMillis: 500 })).toEqual({ moved: 30, faulty: [], unread: 0 });
      expect(await services.platform.mediaFiles.countOutside(to)).toBe(0);
      const other = to === "disk" ? bucket.images : disk;
      for (const { key } of images) expect(await other.size(key)).toBeNull();
    }
    isMoving = false;
    await reading;
    expect(reads).toBeGreaterThan(30);
  });

  test.each(["before the copy is read back", "before the ledger knows it", "before the copy of before goes"])(
    "one that is killed %s goes on where it was",
    async (step) => {
      const { id, bytes, key, url } = await upload();
      const killed = () => Promise.reject(new Error("killed"));
      const { mediaFiles } = services.platform;
      const dying = {
        ...services,
        platform: {
          ...services.platform,
          mediaFiles: { ...mediaFiles, ...(step === "before the ledger knows it" && { moveTo: killed }) },
        },
        images: {
          ...services.images,
          of: (name: "disk" | "s3") => ({
            ...services.images.of(name),
            ...(name === "disk" && step === "before the copy is read back" && { get: killed }),
            ...(name === "s3" && step === "before the copy of before goes" && { delete: killed }),
          }),
        },
      };
      await expect(moveImages(dying, "disk", quickly)).rejects.toThrow("killed");
      expect(Buffer.from(await (await fetch(node.url + url)).arrayBuffer()).equals(bytes)).toBe(true);
      await moveImages(services, "disk", quickly);
      expect([await storeOf(id), await bucket.images.size(key), await disk.size(key)]).toEqual(["disk", null, bytes.length]);
      await moveImages(services, "s3", quickly);
    },
  );

  test("what is missing, damaged, unread or removed meanwhile is told, and nothing comes back", async () => {
    const [missing, damaged, unread, purged] = [await upload(), await upload(), await upload(), await upload()];
    await bucket.images.delete(missing.key);
    await bucket.images.put(damaged.key, Buffer.from("other"), "image/gif");
    await services.database.query({ text: "UPDATE media_files SET sha256 = NULL WHERE media_id = $1", values: [unread.id] });
    await services.call(registry.delete_media, tenant.actor, { ...here, mediaId: purged.id });
    const meanwhile = {
      ...services,
      images: {
        ...services.images,
        of: (name: "disk" | "s3") => ({
          ...services.images.of(name),
          async put(key: string, bytes: Uint8Array, type: string) {
            if (key === purged.key) await services.call(registry.purge_media, tenant.actor, { ...here, mediaId: purged.id });
            await services.images.of(name).put(key, bytes, type);
          },
        }),
      },
    };
    const result = await moveImages(meanwhile, "disk", quickly);
    expect(result.faulty.toSorted()).toEqual([missing.key, damaged.key].toSorted());
    expect(result.unread).toBe(1);
    expect(await Promise.all([missing, damaged, unread, purged].map(({ id }) => storeOf(id)))).toEqual(["s3", "s3", "s3", undefined]);
    expect([await disk.size(purged.key), await bucket.images.size(purged.key)]).toEqual([null, null]);
    expect(await bucket.images.size(damaged.key)).toBe(5);
  });

  test("the command moves what there is, and says what it lacks", async () => {
    const database = closedAtEnd(await openTestDatabase());
    const folder = await mkdtemp(path.join(tmpdir(), "stet-move-"));
    const cli = path.resolve(import.meta.dirname, "../src/main/cli.ts");
    const run = (to: string, settings: Record<string, string>) =>
      execute(process.execPath, [cli, "images", "move", "--install", "--to", to], {
        env: { PATH: process.env.PATH, DATABASE_URL: database.url, STET_DATA: folder, ...settings },
      });
    expect((await run("s3", { MEDIA_URL: started.url })).stdout).toBe("Moved 0 of 0. Everything lies there now.\n");
    await expect(run("s3", {})).rejects.toThrow("There is no bucket to move to");
    await expect(run("s3", { MEDIA_URL: started.url.replace("CRET", "wrong") })).rejects.toThrow("Writing a file failed");
    await expect(run("tape", {})).rejects.toThrow("--to must be disk or s3");
    await rm(folder, { recursive: true, force: true });
  });
});
