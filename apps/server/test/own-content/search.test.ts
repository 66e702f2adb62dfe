import { expect, test, vi } from "vitest";
import { readRoutes } from "#delivery/read-routes";
import { sendRequest } from "#test/delivery-api/request";
import { writingIn } from "#test/delivery/writing";
import { makeKey, startDelivery } from "#test/delivery-node";
import { mongoJavaServer } from "#test/mongodb";
import { withPart } from "#test/parts";
import { onContent, openMovingOnce } from "./moving.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

/** Words of one length that no dictionary knows: none is the beginning or the stem of another. */
const WORDS = ["bakoduzo", "nimolaku", "tegaruvo", "pisowenu", "dokabilo", "ralumexo"];
const POSTS = 36;

/** The same numbers every time. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

withPart(mongoJavaServer.name, mongoJavaServer.find(), async (server) => {
  const { moving } = await openMovingOnce(server);

  test("whole words find the same posts in the same order before, during and after a move; a cursor of the other store is refused", async () => {
    const [first] = moving.nodes;
    const tenant = await first.makeTenant();
    const at = onContent(first, tenant);
    const write = writingIn(first, tenant);
    const random = randomFrom(7);
    // Each post has one of the words in its title, one in its excerpt and one in its body; the ranks then differ by where it is alone.
    for (let n = 0; n < POSTS; n++) {
      first.pass(1_000);
      const [title, excerpt, body] = [0, 1, 2].map((nth) => WORDS[(random(2) * 3 + n + nth) % WORDS.length]!);
      const distinct = new Set([title, excerpt, body]).size === 3;
      await write.post(`Post ${n} ${title}`, distinct ? { excerpt: `About ${excerpt}.`, body: `Some ${body} here.` } : {});
    }
    const key = await makeKey(first, tenant);
    const node = await startDelivery(first, { readRoutes });
    const ask = async (path: string) => {
      first.pass(60_000);
      const { status, json } = await sendRequest(node.port, `/v1/blog/search?limit=7&${path}`, { key });
      return {
        status,
        json: json as { code?: string; data: { slug: string; highlights: { title: string } }[]; pagination: { nextCursor: string | null } },
      };
    };
    const answers = async () => {
      const found: Record<string, string[]> = {};
      for (const word of WORDS) {
        const lines: string[] = [];
        for (let cursor: string | null = ""; cursor !== null;) {
          const { json } = await ask(`q=${word}${cursor && `&cursor=${cursor}`}`);
          lines.push(...json.data.map(({ slug, highlights }) => `${slug} ${highlights.title}`));
          cursor = json.pagination.nextCursor;
        }
        found[word] = lines;
      }
      // Of several words only which posts have them all is the same, not their order.
      const { json } = await ask(`q=${WORDS[0]}+${WORDS[1]}`);
      found.both = json.data.map(({ slug }) => slug).toSorted();
      found.none = (await ask("q=bakodu+zzzz")).json.data.map(({ slug }) => slug);
      return found;
    };
    const cursor = async () => (await ask(`q=${WORDS[0]}`)).json.pagination.nextCursor;
    const before = await answers();
    expect(Object.values(before).filter((found) => found.length > 7).length).toBeGreaterThan(4);
    const ours = await cursor();

    const { url } = moving.newDatabase();
    await at.call("connect_own_database", { url });
    await at.call("start_content_move");
    await at.step();
    await at.step();
    expect(await answers()).toEqual(before);
    await at.finish();
    await at.call("activate_own_database");
    expect(await at.finish()).toMatchObject({ state: "done", error: null });
    expect(await answers()).toEqual(before);
    const theirs = await cursor();
    expect(await ask(`q=${WORDS[0]}&cursor=${ours}`)).toMatchObject({ status: 400, json: { code: "INVALID_CURSOR" } });
    expect(await at.back()).toMatchObject({ state: "done", error: null });
    expect(await answers()).toEqual(before);
    expect(await ask(`q=${WORDS[0]}&cursor=${theirs}`)).toMatchObject({ status: 400, json: { code: "INVALID_CURSOR" } });
    expect((await ask(`q=${WORDS[0]}&cursor=${ours}`)).status).toBe(200);
    await node.stop();
  });
});
