import { Readable } from "node:stream";
import { expect, onTestFinished, test, vi } from "vitest";
import { Failure } from "#domain/failure";
import type { MediaId, PostId } from "#domain/ids";
import { DAY, MINUTE, timestamp } from "#domain/time";
import { registry } from "#operations/registry";
import type { ContentStore } from "#ports/content-store";
import { connectTestTool } from "#test/connected-tool";
import { writingIn } from "#test/delivery/writing";
import { mongoJavaServer } from "#test/mongodb";
import { withPart } from "#test/parts";
import { openReceiver } from "#test/webhooks/receiver";
import { publishDue } from "#worker/scheduler";
import { settleFiles } from "#worker/settle-files";
import { purgeMedia } from "#worker/sweeps";
import { sweepOwnStores } from "#worker/own-stores";
import { createDeliverer } from "#worker/webhooks/deliverer";
import { onContent, openMovingOnce } from "./moving.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

withPart(mongoJavaServer.name, mongoJavaServer.find(), async (server) => {
  const { moving, first, second } = await openMovingOnce(server);

  const pass = (millis: number) => moving.nodes.forEach((node) => node.pass(millis));
  const open = async () => {
    const tenant = await first.makeTenant();
    const { id: websiteId } = tenant.website;
    const inContent = async <T>(work: (content: ContentStore) => Promise<T>): Promise<T> =>
      first.contents.withContent((await first.platform.websites.get(websiteId))!, work);
    return {
      tenant,
      websiteId,
      write: writingIn(second, tenant),
      at: onContent(first, tenant),
      inContent,
      post: (id: string) => inContent(({ posts }) => posts.get(websiteId, id as PostId)),
      ...moving.newDatabase(),
    };
  };

  test("fault 15: what is due in the pause or an outage is published soon after, once, and receivers hear of each post once", async () => {
    const { tenant, websiteId, write, at, post, url } = await open();
    const receiver = await openReceiver();
    onTestFinished(receiver.close);
    await first.call(registry.create_webhook, tenant.actor, { websiteId, url: receiver.url });
    const deliver = async () => {
      for (const node of moving.nodes) await createDeliverer(node).drain();
    };
    const soon = () => timestamp(first.now.getTime() + MINUTE);
    const inPause = await write.schedule(await write.draft("In the pause"), soon());
    await write.post("Before");
    pass(MINUTE);
    await first.platform.homes.pause(websiteId, 10);
    await publishDue(second);
    expect(await post(inPause.id)).toMatchObject({ status: "scheduled" });
    await first.platform.homes.resume(websiteId);
    await deliver();
    expect(await at.out(url)).toMatchObject({ state: "done" });
    pass(3_000);
    for (const node of [second, first]) await publishDue(node);
    expect(await post(inPause.id)).toMatchObject({ status: "published" });

    const inOutage = await write.schedule(await write.draft("In the outage"), soon());
    pass(MINUTE);
    moving.proxy.cut();
    await publishDue(second);
    moving.proxy.restore();
    // Within a minute after the database is back.
    pass(MINUTE);
    await expect
      .poll(
        async () => {
          pass(1_000);
          await publishDue(first);
          return (await post(inOutage.id).catch(() => null))?.status;
        },
        { timeout: 40_000 },
      )
      .toBe("published");
    await deliver();
    expect(await at.back()).toMatchObject({ state: "done" });
    await write.post("After");
    await deliver();
    const titles = receiver.received.map(({ event }) => event.data.post?.title);
    expect(titles.toSorted()).toEqual(["After", "Before", "In the outage", "In the pause"]);
    const { rows } = await first.database.query({
      text: "SELECT FROM activity WHERE website_id = $1 AND action = 'schedule_failed'",
      values: [websiteId],
    });
    // Only the outage is a failure worth a line; a pause of seconds is none.
    expect(rows).toHaveLength(1);
  });

  test("fault 15: an image that was in the trash when content moved, and was restored there, keeps its file; edits of images move along", async () => {
    const { tenant, websiteId, at, inContent, url } = await open();
    // Files of tests are kept by each node for itself.
    const write = writingIn(first, tenant);
    const [restored, edited] = [await write.image("restored.gif"), await write.image("edited.gif")];
    await write.deleteImage(restored.id);
    await at.call("connect_own_database", { url });
    await at.call("activate_own_database");
    while ((await at.step()).position.phase !== "comparing");
    // While it is copied already.
    const focal = { mediaId: edited.id, expectedVersion: edited.version, focalPoint: { x: 0.25, y: 0.75 } };
    await first.call(registry.edit_media, tenant.actor, { websiteId, ...focal });
    const late = await write.image("late.gif");
    expect(await at.finish()).toMatchObject({ state: "done", error: null });
    const media = (id: string) => inContent((content) => content.media.get(websiteId, id as MediaId));
    expect(await media(edited.id)).toMatchObject({ edit: { focalPoint: { x: 0.25, y: 0.75 } } });
    expect(await media(late.id)).toMatchObject({ filename: "late.gif" });

    await first.call(registry.restore_media, tenant.actor, { websiteId, mediaId: restored.id });
    pass(31 * DAY);
    const sweepAll = async () => {
      await purgeMedia(first, first.contents.managed);
      await sweepOwnStores([{ name: "images", everyMillis: 0, sweep: purgeMedia }])(first);
      await settleFiles(first);
    };
    await sweepAll();
    expect(first.files.size).toBe(3);
    expect(await at.back()).toMatchObject({ state: "done" });
    await sweepAll();
    expect(await media(restored.id)).toMatchObject({ deletedAt: null });
    expect(first.files.size).toBe(3);
  });

  test("fault 15: an import that meets a switch stops, and repeated it brings everything once", async () => {
    const source = await open();
    for (let n = 0; n < 6; n++) await source.write.post(`Imported ${n}`);
    const lines: string[] = [];
    for await (const line of (await first.call(registry.export_website, source.tenant.actor, { websiteId: source.websiteId })).lines)
      lines.push(line);
    const { tenant, websiteId, at, inContent, url } = await open();
    await at.call("connect_own_database", { url });
    await at.call("activate_own_database");
    async function* switchingMidway() {
      for (const [index, line] of lines.entries()) {
        if (index === Math.floor(lines.length / 2)) expect(await at.finish()).toMatchObject({ state: "done" });
        yield line;
      }
    }
    const run = (from: Readable) => second.call(registry.import_website, tenant.actor, { websiteId, source: from });
    const cutOff = await run(Readable.from(switchingMidway())).then(
      () => null,
      (error: unknown) => error,
    );
    if (cutOff !== null) expect(cutOff).toMatchObject({ code: "CONTENT_STORE_UNAVAILABLE" });
    expect(await at.home()).toEqual({ kind: "own", epoch: 1 });
    await run(Readable.from(lines));
    const count = await inContent(({ posts }) => posts.countByStatus(websiteId));
    expect(count).toMatchObject({ published: 6, draft: 0 });
  });

  test("a switch between any two writes of an act leaves it done once: a suggestion accepted, terms merged, a slug handed over", async () => {
    const { tenant, websiteId, write, at, inContent, post, url } = await open();
    const tool = await connectTestTool(second, tenant);
    const acts = {
      "accept a suggestion": async () => {
        // Switched on while content moves: what the tool does from here on is held.
        await write.settings({ holdToolChanges: true });
        const { id, version } = await write.post("Held");
        const held = await second.call(registry.edit_post, tool.actor, {
          websiteId,
          postId: id,
          expectedVersion: version,
          excerpt: "Suggested",
        });
        return {
          act: () => second.call(registry.accept_suggestion, tenant.actor, { websiteId, suggestionId: held.suggestion!.id }),
          async check() {
            expect(await post(id)).toMatchObject({ version: version + 1, working: { excerpt: "Suggested" } });
            expect(await inContent(({ beside }) => beside.countOpen(websiteId, "suggestion"))).toBe(0);
          },
        };
      },
      "merge terms": async () => {
        const [from, into] = [await write.term("tag", "From"), await write.term("tag", "Into")];
        const { id } = await write.post("Tagged", { tagIds: [from.id] });
        return {
          act: () => write.merge(from, into),
          async check() {
            expect(await inContent(({ terms }) => terms.get(websiteId, from.id))).toMatchObject({ mergedInto: into.id });
            expect(await inContent(({ posts }) => posts.countByFacet(websiteId, [[from.id, into.id]]))).toEqual([1]);
            expect(await post(id)).not.toBeNull();
          },
        };
      },
      "hand a slug over": async () => {
        const giver = await write.post("Giver");
        const slug = giver.working.slug;
        const renamed = await write.revise(giver, { slug: `${slug}-moved` });
        const taker = await write.draft("Taker");
        return {
          act: () => write.edit(taker, { slug, takeSlugFrom: renamed.id }),
          async check() {
            expect(await post(taker.id)).toMatchObject({ version: taker.version + 1, working: { slug } });
            expect((await inContent(({ claims }) => claims.owners(websiteId, "post", [slug]))).get(slug)).toBe(taker.id);
          },
        };
      },
    };
    const { homes } = second.platform;
    const takeTicket = homes.takeTicket.bind(homes);
    let switches = 0;
    for (const [name, prepare] of Object.entries(acts)) {
      // Each write costs a move there and back.
      if (name === "merge terms" && !process.env.STET_SOAK) continue;
      for (let before = 1, isReached = true; isReached; before++) {
        if ((await at.home()).kind === "managed") expect(await at.out(url)).toMatchObject({ state: "done" });
        const { act, check } = (await prepare()) as { act: () => Promise<unknown>; check: () => Promise<void> };
        let writes = 0;
        isReached = false;
        const spy = vi.spyOn(homes, "takeTicket").mockImplementation(async (website) => {
          if (++writes === before) {
            isReached = true;
            switches += 1;
            expect(await at.back()).toMatchObject({ state: "done" });
          }
          return takeTicket(website);
        });
        try {
          // Refused between two writes, a person does it again.
          await act().catch((error: unknown) =>
            error instanceof Failure && error.code === "CONTENT_STORE_UNAVAILABLE" ? act() : Promise.reject(error),
          );
          await check();
        } catch (error) {
          throw new Error(`${name}, switched before write ${before}`, { cause: error });
        } finally {
          spy.mockRestore();
        }
        await write.settings({ holdToolChanges: false });
      }
    }
    expect(switches).toBeGreaterThan(5);
  });

  test("what a tool did before a move is undone after it, there and back", async () => {
    const { tenant, websiteId, write, at, post, url } = await open();
    const tool = await connectTestTool(second, tenant);
    const [here, there] = [await write.post("Here"), await write.post("There")];
    const since = timestamp(first.now);
    const change = (id: string, version: number) =>
      second.call(registry.edit_post, tool.actor, { websiteId, postId: id, expectedVersion: version, excerpt: "By a tool" });
    const undo = () =>
      first.call(registry.undo_connection, tenant.actor, {
        workspaceId: tenant.workspace.id,
        connectionId: tool.connection.id,
        since,
        until: timestamp(first.now),
        phase: "posts",
      });
    await change(here.id, here.version);
    expect(await at.out(url)).toMatchObject({ state: "done" });
    expect((await undo()).items).toMatchObject([{ id: here.id, left: null }]);
    expect(await post(here.id)).toMatchObject({ working: { excerpt: "" } });
    await change(there.id, there.version);
    expect(await at.back()).toMatchObject({ state: "done" });
    expect((await undo()).items).toContainEqual(expect.objectContaining({ id: there.id, left: null }));
    expect(await post(there.id)).toMatchObject({ working: { excerpt: "" } });
  });

  test("a PostgreSQL that ends every connection while content moves delays the move by a step", async () => {
    const { write, at, post, url } = await open();
    const kept = await write.post("Kept");
    await at.call("connect_own_database", { url });
    await at.call("activate_own_database");
    const end = () =>
      first.database
        .query({
          text: "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
        })
        .catch(() => {});
    for (let n = 0; n < 3; n++) {
      const stepping = at.step(second).catch(() => null);
      await end();
      await stepping;
    }
    await expect
      .poll(
        () =>
          at.step(second).then(
            ({ state }) => state,
            () => null,
          ),
        { timeout: 60_000 },
      )
      .toBe("done");
    expect(await at.home()).toEqual({ kind: "own", epoch: 1 });
    expect(await post(kept.id)).toMatchObject({ working: { title: "Kept" } });
  });
});
