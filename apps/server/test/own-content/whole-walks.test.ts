import { type Db, ObjectId } from "mongodb";
import { expect, test, vi } from "vitest";
import { newId, type PostId, type WebsiteId } from "#domain/ids";
import { writingIn } from "#test/delivery/writing";
import { mongoJavaServer } from "#test/mongodb";
import { withPart } from "#test/parts";
import { compareContent } from "#worker/moving/compare-content";
import { sumUp } from "#worker/moving/sum-up";
import { onContent, openMovingOnce } from "./moving.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

/** More than a walk may come by beyond the records there are, if it took those for everything. */
const MANY = 620;
/** At least what one page of each walk holds. */
const PAGE = 100;

/** Takes numbers of the feed for documents that are written past Stet; answers the one before them. */
async function raiseNumbers(there: Db, websiteId: WebsiteId, count: number): Promise<number> {
  const counters = there.collection<{ _id: string; seq: number }>("counters");
  return (await counters.findOneAndUpdate({ _id: websiteId }, { $inc: { seq: count } }))!.seq;
}

withPart(mongoJavaServer.name, mongoJavaServer.find(), async (server) => {
  const { moving, first } = await openMovingOnce(server);

  async function open() {
    const tenant = await first.makeTenant();
    return { tenant, websiteId: tenant.website.id, write: writingIn(first, tenant), at: onContent(first, tenant), ...moving.newDatabase() };
  }

  /** Compares as Disconnect does before its pause, and answers the sums. */
  async function compareBack(websiteId: WebsiteId) {
    const website = (await first.platform.websites.get(websiteId))!;
    return first.contents.withContent(website, async (from) => {
      const comparison = compareContent({ from, to: first.contents.asMover!(website), websiteId, replaces: true }, async () => true);
      await comparison.everything();
      expect(comparison.sums()).toEqual(await sumUp(from, websiteId));
      return comparison.sums();
    });
  }

  test("a website with more removed records than others is copied and compared whole, out and back", async () => {
    const { websiteId, write, at, url, there } = await open();
    const { managed } = first.contents;
    const post = await write.post("Thinned");
    const postId = post.id as PostId;
    const { rows } = await managed.revisions.list(websiteId, postId, { after: null, limit: 1 });
    const revision = (await managed.revisions.get(websiteId, postId, rows[0]!.id))!;
    const ids = Array.from({ length: MANY }, () => newId("revision"));
    await Promise.all(ids.map((id) => managed.revisions.put({ ...revision, id })));
    await managed.revisions.delete(websiteId, postId, ids);
    await write.revise(post, { body: "Edited since." });
    await write.post("Written since");

    await at.call("connect_own_database", { url });
    await at.call("start_content_move");
    expect(await at.finish()).toMatchObject({ state: "done", error: null });
    const sums = await sumUp(managed, websiteId);
    expect(sums.post.count).toBe(2);
    expect((await at.call("get_content_move_report")).report).toMatchObject({ sums, differences: [] });
    expect(await there.collection("posts").countDocuments({ w: websiteId })).toBe(2);
    await at.call("activate_own_database");
    expect(await at.finish()).toMatchObject({ state: "done", error: null });

    const last = await raiseNumbers(there, websiteId, MANY);
    const removed = { w: websiteId, gone: true, counted: true, seqAt: first.clock() };
    await there
      .collection<{ _id: string }>("revisions")
      .insertMany(ids.map((id, n) => ({ _id: `${websiteId}/${postId}/${id}`, ...removed, seq: last + 1 + n })));
    await write.post("Written there");
    expect(await compareBack(websiteId)).toMatchObject({ post: { count: 3 } });
  });

  test("a post whose document has no number comes back at Disconnect, and its database need not be written to for that", async () => {
    const { websiteId, write, at, url, there } = await open();
    const before = await write.post("Before");
    expect(await at.out(url)).toMatchObject({ state: "done" });
    const { id } = await write.post("There");
    const documents = there.collection<{ _id: string }>("posts");
    for (const each of [before.id, id]) await documents.updateOne({ _id: `${websiteId}/${each}` }, { $unset: { seq: "", seqAt: "" } });
    const held = await documents.find().toArray();
    expect(await at.back()).toMatchObject({ state: "done", error: null });
    expect(await first.contents.managed.posts.get(websiteId, id as PostId)).toMatchObject({ working: { title: "There" } });
    expect(await first.contents.managed.posts.get(websiteId, before.id as PostId)).toMatchObject({ version: before.version });
    expect(await documents.find().toArray()).toEqual(held);
  });

  test.each(["Disconnect", "Fetch"])("a document that its owner cloned does not end %s before everything has come", async (way) => {
    const { tenant, websiteId, write, at, url, there } = await open();
    expect(await at.out(url)).toMatchObject({ state: "done" });
    const { id } = await write.draft("There");
    const documents = there.collection<{ _id: string | ObjectId; seq: number }>("posts");
    const { _id: _, ...document } = (await documents.findOne({ _id: `${websiteId}/${id}` }))!;
    await documents.insertOne({ ...document, _id: new ObjectId() });
    const last = await raiseNumbers(there, websiteId, PAGE);
    await documents.insertMany(
      Array.from({ length: PAGE }, (_each, n) => ({ ...document, _id: `${websiteId}/${newId("post")}`, seq: last + 1 + n })),
    );
    if (way === "Disconnect") {
      expect(await compareBack(websiteId)).toMatchObject({ post: { count: PAGE + 1 } });
      return;
    }
    moving.proxy.cut();
    await at.call("disconnect_own_database", { withoutCopying: true, confirmName: tenant.website.name });
    moving.proxy.restore();
    first.pass(60_000);
    await at.call("connect_own_database", { url });
    await at.call("fetch_left_content");
    expect(await at.finish(first, "left content")).toMatchObject({ state: "done", error: null });
    expect((await at.call("get_own_database")).fetching?.brought.posts).toBe(PAGE + 1);
  });
});
