import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openMongoContent } from "#adapters/mongodb/open";
import { ferretdb, mongoJavaServer, testDatabaseName } from "#test/mongodb";
import { withPart } from "#test/parts";
import { openTestServices, type TestServices } from "#test/services";
import { oneStore } from "#test/one-store";
import { type Command, command, TITLES } from "./commands.ts";
import { Engine } from "./engine.ts";
import { changed, Model } from "./model.ts";

const RUNS = process.env.STET_SOAK ? 100 : 8;

for (const part of [ferretdb, mongoJavaServer]) {
  withPart(part.name, part.find(), (server) => {
    const engines: Engine[] = [];
    const closers: (() => Promise<void>)[] = [];

    beforeAll(async () => {
      const postgres = await openTestServices();
      const { url, stop } = await server.start();
      const content = await openMongoContent({ url, database: testDatabaseName(), onVisibleChange: async () => {} });
      const mongo: TestServices = await openTestServices({ contents: oneStore(content) });
      engines.push(new Engine("PostgreSQL", postgres), new Engine(part.name, mongo));
      closers.push(
        () => postgres.close(),
        () => mongo.close(),
        () => content.close(),
        stop,
      );
    }, 120_000);
    afterAll(async () => {
      for (const close of closers) await close();
    });

    test(`random lives of posts by four people are the same in PostgreSQL, on ${part.name} and in the rules`, async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(command, { minLength: 15, maxLength: 45 }), async (commands) => {
          const model = new Model();
          for (const engine of engines) await engine.begin();
          for (const each of commands) {
            const answers = [];
            for (const engine of engines) answers.push(await engine.run(each));
            expect(answers[1], `${part.name} answers as PostgreSQL does`).toBe(answers[0]);
            follow(model, each, answers[0]!);
          }
          const states = [];
          for (const engine of engines) states.push(await engine.finalState());
          expect(states[1]).toEqual(states[0]);
          const state = states[0]!;
          expect(state).toMatchObject({ pending: 0, sharedSlugs: 0, unclaimed: [] });
          expect(state.events).toEqual(model.events);
          expect(state.posts.map((post) => post && [post.status, post.version, post.body, post.live])).toEqual(
            model.posts.map((post) => (post.status === "purged" ? null : [post.status, post.version, post.body, post.liveBody])),
          );
        }),
        { numRuns: RUNS, endOnFailure: true, timeout: 120_000 },
      );
    }, 600_000);
  });
}

interface Answer {
  readonly version: number;
  readonly slug: string;
  readonly hasUnpublishedChanges: boolean;
}

/** Holds the answer against the rules, and lets the model take the same step. */
function follow(model: Model, each: Command, answer: string): void {
  if (each.do === "wait") return model.waited(each.minutes);
  model.minute += 1 / 60;
  const post = answer.startsWith("{") ? (JSON.parse(answer) as Answer) : null;
  if (each.do === "create") {
    if (!post) return expect([answer, each.slug]).toEqual(["SLUG_TAKEN", expect.any(Number)]);
    return model.created(each.who, TITLES[each.title]!, post.slug);
  }
  const refused = model.refusal(each);
  if (refused) return expect(answer).toBe(refused);
  const index = model.target(each);
  const before = model.posts[index]!;
  if (each.do === "duplicate") {
    const { title, body } = model.seen(index, each.who);
    return model.created(each.who, `${title} (copy)`, post!.slug, body);
  }
  if (each.do === "edit") {
    if (!post) return expect([answer, each.slug]).toEqual(["SLUG_TAKEN", expect.any(Number)]);
    // Only an autosave that changes nothing makes no version.
    const unchanged = before.body === `text ${each.text}` && before.slug === post.slug;
    if (post.version !== before.version) model.edited(index, `text ${each.text}`, post.slug);
    else expect([each.autosave, unchanged]).toEqual([true, true]);
  } else {
    model.moved(index, each.do, each.do === "schedule" ? model.minute + each.minutes : null);
    if (each.do === "purge") return expect(answer).toBe("purged");
  }
  const after = model.posts[index]!;
  expect(post).toMatchObject({
    version: after.version,
    status: after.status,
    hasUnpublishedChanges: after.status === "published" && changed(after),
  });
}
