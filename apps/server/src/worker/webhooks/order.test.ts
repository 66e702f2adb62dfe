import { afterEach, beforeEach, expect, test } from "vitest";
import { HOUR, MINUTE, timestamp } from "#domain/time";
import { newId } from "#domain/ids";
import { closedAtEnd } from "#test/closed-at-end";
import { openTestServices } from "#test/services";
import { openReceiver, type Received, type Receiver } from "#test/webhooks/receiver";
import { type Writing, writingIn } from "#test/webhooks/writing";
import { createDeliverer } from "./deliverer.ts";

/** Events of one post arrive in the order of its versions: the next one is sent when the one before was received. */

const services = closedAtEnd(await openTestServices());
let writing: Writing;
let receiver: Receiver;
beforeEach(async () => {
  writing = writingIn(services, await services.makeTenant());
  receiver = await openReceiver();
});
afterEach(() => receiver.close());

const postOf = ({ event }: Received) => String(event.data.post?.["id"]);
const versionsOf = (post: { id: string }) =>
  receiver.received.filter((entry) => postOf(entry) === post.id).map(({ event }) => event.data.version);
const ascending = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b);

/** Published and then updated so many times. */
async function busyPost(updates: number): Promise<{ id: string; version: number }> {
  let post: { id: string; version: number } = await writing.publish();
  for (let n = 1; n <= updates; n++) post = await writing.update(post, { title: `Title ${n}` });
  return post;
}

test("however slow the answers are and however many nodes send, no event of a post overtakes another; other posts do not wait", async () => {
  await writing.addEndpoint(receiver.url);
  const posts = [await busyPost(5), await busyPost(5), await busyPost(5)];
  const underWay = new Map<string, number>();
  let mostOfOnePost = 0;
  let calls = 0;
  receiver.reaction = (response, received) => {
    const post = postOf(received);
    underWay.set(post, (underWay.get(post) ?? 0) + 1);
    mostOfOnePost = Math.max(mostOfOnePost, underWay.get(post)!);
    // The first to come is the last to be answered, within each few.
    const delay = 30 - 10 * (calls++ % 3);
    setTimeout(() => {
      underWay.set(post, underWay.get(post)! - 1);
      response.writeHead(204).end();
    }, delay);
  };
  const nodes = [createDeliverer(services), createDeliverer(services), createDeliverer(services)];
  await Promise.all(nodes.map((node) => node.drain()));
  await nodes[0]!.drain();
  expect(mostOfOnePost).toBe(1);
  expect(receiver.mostAtOnce).toBeGreaterThan(1);
  for (const post of posts) {
    expect(versionsOf(post)).toEqual(ascending(versionsOf(post)));
    expect(versionsOf(post)).toHaveLength(6);
  }
});

test("what failed goes again before what came after it, through retries, a pause and a resend of all that failed", async () => {
  const { record } = await writing.addEndpoint(receiver.url);
  const deliverer = createDeliverer(services, { random: () => 0.5 });
  const refused: number[] = [];
  let post = await busyPost(2);
  receiver.reaction = (response, { event }) => {
    const isRefused = refused.length < 3;
    if (isRefused) refused.push(event.data.version);
    response.writeHead(isRefused ? 500 : 204).end();
  };
  for (let round = 0; round < 3; round++) {
    await deliverer.drain();
    post = await writing.update(post, { title: `Later ${round}` });
    services.pass(10 * MINUTE);
  }
  await writing.act("pause_webhook", { webhookId: record.id });
  post = await writing.update(post, { title: "While it was paused" });
  await writing.act("resume_webhook", { webhookId: record.id, resend: true });
  for (let round = 0; round < 5; round++) {
    await deliverer.drain();
    services.pass(HOUR);
  }
  // The same one each time: nothing was sent past it.
  expect(new Set(refused).size).toBe(1);
  const accepted = versionsOf(post).slice(refused.length);
  expect(accepted).toEqual(ascending(accepted));
  expect(new Set(accepted).size).toBe(7);
});

test("an event that a node with a fast clock, or a wait that was shortened since, put off is not overtaken", async () => {
  const { record } = await writing.addEndpoint(receiver.url);
  const deliverer = createDeliverer(services);
  const first = await writing.publish();
  await services.webhooks.handOut(timestamp(services.clock()), () => newId("delivery", services.clock().getTime()), 10);
  const putOff =
    "UPDATE webhook_deliveries SET ready_at = ready_at + interval '1 hour' WHERE webhook_id = $1 AND status = 'waiting' RETURNING 1";
  expect((await services.database.query({ text: putOff, values: [record.id] })).rows).toHaveLength(1);
  const last = await writing.update(first, { title: "Second" });
  await deliverer.drain();
  expect(versionsOf(first)).toEqual([first.version, last.version]);
  expect((await writing.deliveries({ webhookId: record.id })).map(({ status }) => status)).toEqual(["delivered", "delivered"]);
});

test("a post with more events than one turn looks at does not hold up the others", async () => {
  await writing.addEndpoint(receiver.url);
  const busy = await busyPost(20);
  const other = await writing.publish("The other");
  await createDeliverer(services).drain();
  expect(versionsOf(busy)).toEqual(ascending(versionsOf(busy)));
  const index = receiver.received.findIndex((entry) => postOf(entry) === other.id);
  expect(index).toBeLessThan(5);
});

test("a node that stood still with an event in its hands does not send it after what others have sent since", async () => {
  await writing.addEndpoint(receiver.url);
  const post = await writing.publish();
  const { promise: untilItGoesOn, resolve: goOn } = Promise.withResolvers<void>();
  let isStill = false;
  const contents: typeof services.contents = {
    ...services.contents,
    async withContent(...asked) {
      const answer = await services.contents.withContent(...asked);
      isStill = true;
      await untilItGoesOn;
      return answer;
    },
  };
  const late = createDeliverer({ ...services, contents }).drain();
  await expect.poll(() => isStill).toBe(true);
  services.pass(31_000);
  const other = createDeliverer(services);
  await other.drain();
  await writing.update(post, { title: "Newer" });
  await other.drain();
  goOn();
  await late;
  expect(versionsOf(post)).toEqual(ascending(versionsOf(post)));
  expect(versionsOf(post)).toHaveLength(2);
});
