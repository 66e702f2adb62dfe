import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { createKeyring } from "#adapters/keyring/keyring";
import { resealAll } from "#adapters/postgres/reseal";
import { voidSealedByOtherSecrets } from "#adapters/postgres/void-sealed-by-other-secrets";
import { storageFull } from "#domain/disk-space";
import { DAY } from "#domain/time";
import { websiteImages } from "#main/website-images";
import { registry } from "#operations/registry";
import type { ImageStore } from "#ports/image-store";
import { closedAtEnd } from "#test/closed-at-end";
import { openDashboardNode } from "#test/dashboard-node";
import { everyRow } from "#test/every-row";
import { distinctImage } from "#test/images";
import { onWebsite } from "#test/own-images";
import { withPart } from "#test/parts";
import { TEST_SECRET } from "#test/services";
import { type S3Server, versitygw } from "#test/s3";
import { moveImages } from "#worker/move-images";
import { eraseDeleted } from "#worker/sweeps";

const node = closedAtEnd(await openDashboardNode({ pages: false }));
const { services } = node;
const disk = services.images.of("disk");

withPart("versitygw 1.8", versitygw.find(), (server: S3Server) => {
  let started: Awaited<ReturnType<S3Server["start"]>>;
  let bucket: ImageStore;
  beforeAll(async () => {
    started = await server.start();
    bucket = services.ownImages.open(started.url);
  });
  afterAll(async () => {
    await started.stop();
  });
  const open = async (plan: "free" | "starter" | "team" = "team") => {
    const tenant = await node.makeTenant({ plan });
    return { tenant, ...onWebsite(services, tenant) };
  };

  test("out, active, and back with readers and uploads throughout: every address answers every time, and nothing is deleted in the bucket", async () => {
    const { call, upload, finish, storeOf, tenant } = await open();
    const images = [];
    for (let n = 0; n < 30; n++) images.push(await upload());
    let isMoving = true;
    let reads = 0;
    const reading = (async () => {
      while (isMoving) {
        const { url, bytes } = images[reads++ % images.length]!;
        const answer = await fetch(node.url + url);
        expect([answer.status, Buffer.from(await answer.arrayBuffer()).equals(bytes)]).toEqual([200, true]);
        // Reading without a pause would take the processor from the move that is read beside.
        await delay(5);
      }
    })();
    expect((await call("connect_image_store", { address: started.url })).store).toMatchObject({
      state: "connected",
      place: expect.stringMatching(/^127\.0\.0\.1:\d+\/pictures$/) as string,
      shown: { bucket: "pictures", key: "…KEY", region: "eu-test-1" },
    });
    // While it is only connected, new images stay here; the move takes them along.
    expect(await storeOf((await upload()).id)).toBe("disk");
    await call("start_image_move");
    expect(await finish()).toMatchObject({ state: "done", done: 31, total: 31, error: null });
    for (const { id, key, bytes } of images) {
      expect([await storeOf(id), await disk.size(key), await bucket.size(key)]).toEqual(["own", null, bytes.length]);
    }
    expect((await call("activate_image_store")).store?.state).toBe("active");
    images.push(await upload());
    expect(await storeOf(images.at(-1)!.id)).toBe("own");
    expect(await services.platform.mediaFiles.totals(tenant.workspace.id)).toEqual(new Map());

    expect((await call("disconnect_image_store")).store?.state).toBe("leaving");
    // From this moment on new ones stay here.
    const late = await upload();
    expect(await storeOf(late.id)).toBe("disk");
    expect(await finish()).toMatchObject({ state: "done", direction: "back", done: 33, total: 33 });
    for (const { id, key, bytes } of images) {
      expect([await storeOf(id), await disk.size(key), await bucket.size(key)]).toEqual(["disk", bytes.length, bytes.length]);
    }
    expect(await call("get_image_store")).toMatchObject({ store: null, own: { files: 0 }, managed: { files: 33 } });
    isMoving = false;
    await reading;
    expect(reads).toBeGreaterThan(30);
  });

  test.each([
    ["the secret", (url: string) => url.replace("SE%2FCRET%2B", "wrong"), "write", "SignatureDoesNotMatch"],
    ["the bucket", (url: string) => url.replace("/pictures", "/nowhere"), "write", "no such bucket"],
    ["the port", (url: string) => url.replace(/127.0.0.1:\d+/, "127.0.0.1:9"), "write", "port is not allowed"],
    [
      "the public address",
      (url: string) => `${url}&public=${encodeURIComponent("http://127.0.0.1:1024/pictures")}`,
      "public",
      "public address failed",
    ],
  ])("a test with the wrong part in %s names the step and what to do, and saves nothing", async (_, wrong, step, words) => {
    const { call, tenant } = await open();
    const address = wrong(started.url);
    const result = await call("test_image_store", { address });
    expect(result).toMatchObject({ passed: false, step, problem: expect.stringContaining(words) as string });
    expect(result.help).toBeTruthy();
    expect(JSON.stringify(result)).not.toMatch(/SE%2FCRET|SE\/CRET/);
    await expect(call("connect_image_store", { address })).rejects.toMatchObject({ code: "VALIDATION_FAILED", facts: { step } });
    expect(await services.platform.ownImageStores.get(tenant.website.id)).toBeNull();
  });

  test("what passes leaves nothing behind, and neither the database nor an answer holds the key", async () => {
    const { call, tenant } = await open();
    expect(await call("test_image_store", { address: started.url })).toMatchObject({ passed: true, problem: null });
    const view = await call("connect_image_store", { address: started.url });
    for await (const key of bucket.list(`${tenant.website.id}/`)) expect(key).toBe("none");
    for (const text of [JSON.stringify(view), await everyRow(services.database), services.troubles.join()]) {
      expect(text).not.toMatch(/SE%2FCRET|SE\/CRET/);
    }
    for (const address of ["s3://KEY:SEcret@host", "ftp://KEY:SEcret@host/bucket", `${started.url}&public=javascript:1`])
      await expect(call("connect_image_store", { address })).rejects.toThrow(/^address: (?!.*SEcret)/);
  });

  test("images there take no room of the plan; a downgrade is refused while it is used; back is never refused, new uploads are", async () => {
    const { call, upload, connected, finish, tenant } = await open("starter");
    const workspace = { workspaceId: tenant.workspace.id };
    const one = (await upload()).bytes.length;
    const plans = { ...services.plans, starter: { ...services.plans.starter, storageBytes: Math.round(one * 1.5) } };
    const before = services.plans;
    onTestFinished(() => void Object.assign(services, { plans: before }));
    Object.assign(services, { plans });
    await expect(upload()).rejects.toMatchObject({ code: "PLAN_LIMIT" });
    await connected(started.url);
    await upload();
    await upload();
    await finish();
    expect((await services.call(registry.get_usage, tenant.actor, workspace)).storageBytes).toBe(0);
    await expect(services.call(registry.change_plan, tenant.actor, { ...workspace, plan: "free" })).rejects.toThrow(
      "uses one. Disconnect it",
    );
    await call("disconnect_image_store");
    expect(await finish()).toMatchObject({ state: "done", done: 3 });
    expect((await services.call(registry.get_usage, tenant.actor, workspace)).storageBytes).toBeGreaterThan(one * 2);
    await expect(upload()).rejects.toMatchObject({ code: "PLAN_LIMIT" });
  });

  test("a plan without it, an editor and another place while images lie in one are refused", async () => {
    const free = await open("free");
    for (const name of ["test_image_store", "connect_image_store"] as const)
      await expect(free.call(name, { address: started.url })).rejects.toMatchObject({ code: "PLAN_REQUIRED" });
    const { call, connected, upload, tenant } = await open();
    const editor = await tenant.addMember("editor");
    await expect(call("get_image_store", {}, editor)).rejects.toMatchObject({ code: "INSUFFICIENT_ROLE" });
    for (const name of ["start_image_move", "activate_image_store", "disconnect_image_store", "stop_image_move"] as const)
      await expect(call(name)).rejects.toMatchObject({ code: "INVALID_TRANSITION" });
    await connected(started.url);
    await upload();
    // The same place by another name is another place to us: the files would not be known to be there.
    const elsewhere = started.url.replace("127.0.0.1", "localhost");
    await expect(call("connect_image_store", { address: elsewhere })).rejects.toMatchObject({ code: "INVALID_TRANSITION" });
    expect((await call("connect_image_store", { address: started.url })).store?.state).toBe("active");
  });

  test.each(["before the copy is read back", "before the ledger knows it", "before the copy of before goes"])(
    "a node that dies %s leaves nothing double, and another goes on when its lease is over",
    async (point) => {
      const { call, upload, finish, step, hurry, storeOf, connected } = await open();
      const image = await upload();
      await connected(started.url, { activate: false });
      await call("start_image_move");
      const never = new Promise<never>(() => {});
      let reached = () => {};
      const dead = new Promise<void>((resolve) => (reached = resolve));
      const hang = () => (reached(), never);
      const dying = {
        ...services,
        platform: { ...services.platform, ...(point === "before the ledger knows it" && { locked: hang }) },
        images: {
          ...services.images,
          of: (name: "disk" | "own", id: never) => ({
            ...services.images.of(name, id),
            ...(name === "own" && point === "before the copy is read back" && { get: hang }),
            ...(name === "disk" && point === "before the copy of before goes" && { delete: hang }),
          }),
        },
      } as typeof services;
      const run = async () => {
        for (;;) {
          await hurry();
          await step(dying);
        }
      };
      void run();
      await dead;
      // Its lease holds: nobody else begins.
      expect(await step()).toBe(0);
      expect(await finish()).toMatchObject({ state: "done", done: 1, total: 1 });
      expect([await storeOf(image.id), await disk.size(image.key), await bucket.size(image.key)]).toEqual([
        "own",
        null,
        image.bytes.length,
      ]);
    },
  );

  test.each(["left", "replaced"])("a copy that is read back while its store is %s does not count", async (change) => {
    const { call, upload, step, storeOf, connected } = await open();
    const image = await upload();
    await connected(started.url, { activate: false });
    await call("start_image_move");
    const [isRead, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const waiting = {
      ...services,
      images: {
        ...services.images,
        of: (name: "disk" | "own", id: never) => {
          const store = services.images.of(name, id);
          const get = async (key: string) => {
            const bytes = await store.get(key);
            isRead.resolve();
            return release.promise.then(() => bytes);
          };
          return name === "own" ? { ...store, get } : store;
        },
      },
    } as typeof services;
    const stepping = step(waiting);
    await isRead.promise;
    if (change === "replaced") {
      const elsewhere = { address: started.url.replace("127.0.0.1", "localhost") };
      await expect(call("connect_image_store", elsewhere)).rejects.toMatchObject({ code: "INVALID_TRANSITION" });
      await call("stop_image_move");
      await call("connect_image_store", elsewhere);
    } else await call("disconnect_image_store");
    release.resolve();
    await stepping;
    expect([await storeOf(image.id), (await fetch(node.url + image.url)).status]).toEqual(["disk", 200]);
  });

  test("a node that has lost the move removes no more copies here", async () => {
    const { tenant, upload, connected, hurry, step, finish } = await open();
    for (let n = 0; n < 20; n++) await upload();
    await connected(started.url);
    const isClearing = async () => (await services.platform.moves.claim("looking", 0, subject))?.position.phase === "clearing";
    const subject = { websiteId: tenant.website.id, subject: "images" } as const;
    for (await hurry(); !(await isClearing()); await hurry()) await step();
    let removed = 0;
    // The copies lie on the disk.
    const images = {
      ...services.images,
      of: () => ({
        ...disk,
        async delete(key: string) {
          removed += 1;
          await hurry();
          await services.platform.moves.claim("another", 60, subject);
          await disk.delete(key);
        },
      }),
    };
    await hurry();
    await step({ ...services, images });
    expect(removed).toBeLessThan(10);
    expect((await finish()).state).toBe("done");
  });

  test("what is missing or damaged here is left and told; stopped, it goes on later", async () => {
    const { call, upload, finish, connected, storeOf } = await open();
    const [missing, good] = [await upload(), await upload()];
    await disk.delete(missing.key);
    await connected(started.url, { activate: false });
    await call("start_image_move");
    expect((await call("stop_image_move")).move?.state).toBe("stopped");
    expect(await storeOf(good.id)).toBe("disk");
    await call("start_image_move");
    expect(await finish()).toMatchObject({
      state: "done",
      done: 1,
      total: 2,
      error: "1 image is missing or damaged here and was left out.",
    });
    expect([await storeOf(missing.id), await storeOf(good.id)]).toEqual(["disk", "own"]);
  });

  test("the command for the whole install leaves them where they are; an export holds them; a purge takes its one file; a website that is erased leaves the bucket alone", async () => {
    const { call, upload, connected, storeOf, tenant, here } = await open();
    await connected(started.url);
    const [first, second] = [await upload(), await upload()];
    await moveImages(services, "disk", { readersMillis: 0 });
    expect(await storeOf(first.id)).toBe("own");
    const { lines } = await call("export_website");
    let exported = "";
    for await (const line of lines) exported += line;
    expect(exported).toContain(Buffer.from(first.bytes).toString("base64"));
    const other = await open();
    await other.connected(started.url);
    await services.call(registry.import_website, other.tenant.actor, {
      websiteId: other.tenant.website.id,
      source: (async function* () {
        yield exported;
      })(),
    });
    expect(await other.storeOf(first.id)).toBe("own");
    expect(await bucket.size(`${other.tenant.website.id}/${first.id}.gif`)).toBe(first.bytes.length);
    await call("delete_media", { mediaId: second.id });
    await call("purge_media", { mediaId: second.id });
    expect([await bucket.size(first.key), await bucket.size(second.key)]).toEqual([first.bytes.length, null]);
    await services.call(registry.delete_website, tenant.actor, { ...here, confirmName: tenant.website.name });
    await eraseDeleted({ ...services, clock: () => new Date(Date.now() + 31 * DAY) });
    expect(await bucket.size(first.key)).toBe(first.bytes.length);
    expect(await services.platform.ownImageStores.get(tenant.website.id)).toBeNull();
  });

  test("a node that had opened the store before uses the key of now, sealed anew after the secret rotates, and asks for it when the secret is lost", async () => {
    const { upload, connected, call, tenant } = await open();
    const keyring = createKeyring(["a new secret", TEST_SECRET]);
    const options = { records: services.platform.ownImageStores, own: services.ownImages, clock: services.clock, onTrouble: () => {} };
    const other = websiteImages({ ...options, seals: keyring })(tenant.website.id);
    await connected(started.url);
    const { key, bytes } = await upload();
    expect((await other.get(key))?.length).toBe(bytes.length);
    const sealed = () => services.platform.ownImageStores.get(tenant.website.id).then((store) => store!.address);
    const before = await sealed();
    await resealAll(services.database, keyring, keyring.mac("setup", "").secretId);
    expect(await sealed()).not.toBe(before);
    expect((await other.get(key))?.length).toBe(bytes.length);
    const alone = websiteImages({ ...options, seals: createKeyring(["a new secret"]) })(tenant.website.id);
    expect((await alone.get(key))?.length).toBe(bytes.length);
    await voidSealedByOtherSecrets(services.database, ["none"], keyring);
    await expect(alone.get(key)).rejects.toMatchObject({ code: "UNAVAILABLE" });
    expect((await call("get_image_store")).store?.needsKey).toBe(true);
    expect((await call("get_home")).alerts).toMatchObject([{ kind: "image-store", next: "Enter the key again." }]);
    expect((await call("connect_image_store", { address: started.url })).store).toMatchObject({ needsKey: false, state: "active" });
    expect((await services.images.of("own", tenant.website.id).get(key))?.length).toBe(bytes.length);
  });

  test("a file that is larger in the bucket than the image that was uploaded is not passed on", async () => {
    const { upload, connected } = await open();
    await connected(started.url);
    const { key, url, bytes } = await upload();
    await bucket.put(key, Buffer.concat([bytes, bytes]), "image/gif");
    expect((await fetch(node.url + url)).status).toBe(404);
    await bucket.put(key, bytes, "image/gif");
    expect((await fetch(node.url + url)).status).toBe(200);
  });

  test("while a slow store sends originals for variants, others upload", async () => {
    const [{ upload, connected }, other] = [await open(), await open()];
    await connected(started.url);
    const image = await upload();
    const [asked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const { of } = services.images;
    onTestFinished(() => void Object.assign(services.images, { of }));
    const get = async () => (asked.resolve(), await release.promise, image.bytes);
    Object.assign(services.images, {
      of: (...given: Parameters<typeof of>) => ({ ...of(...given), ...(given[0] === ("own" as never) && { get }) }),
    });
    const variant = fetch(`${node.url}${image.url}?w=160`);
    await asked.promise;
    await other.upload();
    release.resolve();
    expect((await variant).headers.get("content-type")).toBe("image/webp");
  });

  test("answers keep our addresses, and show originals at the store's own once its owner chose that and all are there", async () => {
    const { call, upload, finish, tenant, here } = await open();
    const image = await upload();
    const { key: apiKey } = await services.call(registry.create_key, tenant.actor, { ...here, name: "Key" });
    const draft = await call("create_post", { title: "With an image", body: `![a](${image.url})`, coverMediaId: image.id });
    await call("publish_post", { postId: draft.id, expectedVersion: draft.version });
    const read = async () => {
      const answer = await fetch(`${node.url}/v1/blog/posts/with-an-image`, { headers: { Authorization: `Bearer ${apiKey}` } });
      const { data } = (await answer.json()) as { data: { coverImage: { url: string }; body: { html: string } } };
      return { url: data.coverImage.url, src: /src="([^"]+)"/.exec(data.body.html)![1]! };
    };
    const ours = { url: node.url + image.url, src: node.url + image.url };
    expect(await read()).toEqual(ours);
    await expect(call("connect_image_store", { address: started.url, usePublicAddress: true })).rejects.toThrow("needs a public address");
    await call("connect_image_store", { address: started.url });
    // The test has no public bucket: what the owner chose is written as connecting would.
    const store = (await services.platform.ownImageStores.get(tenant.website.id))!;
    await services.platform.ownImageStores.put({ ...store, publicBase: "https://images.example.com", usesPublicBase: true });
    await call("activate_image_store");
    expect(await read()).toEqual(ours);
    await finish();
    const theirs = `https://images.example.com/${image.key}`;
    await expect.poll(read).toEqual({ url: theirs, src: theirs });
    await call("disconnect_image_store");
    expect(await read()).toEqual(ours);
  });

  test("a disk that is full here stops the way back in words, and it goes on when there is room", async () => {
    const { call, upload, connected, finish, storeOf } = await open();
    await connected(started.url);
    const { id } = await upload();
    await call("disconnect_image_store");
    const full = {
      ...services,
      images: {
        ...services.images,
        of: (name: "disk" | "own", website: never) => ({
          ...services.images.of(name, website),
          ...(name === "disk" && { put: () => Promise.reject(storageFull("tight")) }),
        }),
      },
    } as typeof services;
    const rests = await finish(full);
    expect([rests.state, rests.failures]).toEqual(["running", 1]);
    expect(rests.error).toBe(storageFull("tight").message);
    expect(await storeOf(id)).toBe("own");
    await services.database.query({ text: "UPDATE moves SET failures = 0" });
    expect(await finish()).toMatchObject({ state: "done", done: 1 });
    expect(await storeOf(id)).toBe("disk");
  });
});

test("where there is no store of its own, nothing is there and nothing can be put there", async () => {
  const tenant = await node.makeTenant();
  const none = services.images.of("own", tenant.website.id);
  expect([await none.get("a/b.gif"), await none.size("a/b.gif")]).toEqual([null, null]);
  await none.delete("a/b.gif");
  await expect(none.put("a/b.gif", distinctImage(1), "image/gif")).rejects.toMatchObject({ code: "UNAVAILABLE" });
});
