import { describe, expect, test } from "vitest";
import type { Post } from "#domain/post";
import { stateOf } from "#domain/tool-save";
import { applyUndo, undoStepsOf } from "#domain/undo";
import { HOUR } from "#domain/time";
import { at, buildContent, buildLive, buildPost, buildRendering, byUser } from "#test/builders";

const NOW = at(10 * HOUR);
const [OLD, NEW] = [buildContent(1), buildContent(1, { body: "By a tool." })];
const live = (content = OLD, status: Post["status"] = "published"): Partial<Post> => ({
  status,
  live: buildLive(content),
  working: content,
});
const post = (overrides: Partial<Post>) => buildPost(1, { version: 5, working: OLD, ...overrides });
const scheduled = (scheduledAt: Post["scheduledAt"]): Partial<Post> => ({ status: "scheduled", scheduledAt });

/** What it was, what it is, and what is done to get back. */
const WAYS: readonly [string, Partial<Post>, Partial<Post>, readonly string[]][] = [
  ["a draft that was edited", {}, { working: NEW }, ["edit"]],
  ["a draft that was published", {}, live(NEW), ["unpublish", "edit"]],
  ["a draft that was scheduled", {}, scheduled(at(11 * HOUR)), ["unpublish"]],
  ["a draft that was trashed", {}, { status: "deleted", deletedAt: NOW }, ["restore"]],
  ["a published post with unseen edits", live(), { ...live(), working: NEW, hasUnpublishedChanges: true }, ["edit"]],
  ["a published post that was updated", live(), live(NEW), ["update"]],
  ["a published post that was taken down", live(), live(OLD, "unpublished"), ["publish"]],
  ["a published post that was trashed", live(), { ...live(OLD, "deleted"), deletedAt: NOW }, ["restore", "publish"]],
  [
    "one published with edits of a person waiting",
    { ...live(), working: buildContent(1, { title: "Mine" }) },
    live(NEW),
    ["update", "edit"],
  ],
  ["a scheduled post that was moved", scheduled(at(12 * HOUR)), scheduled(at(11 * HOUR)), ["schedule"]],
  ["a scheduled post that was published too early", scheduled(at(12 * HOUR)), live(NEW), ["unpublish", "edit", "schedule"]],
  ["a scheduled post, edited, whose time came", scheduled(at(9 * HOUR)), live(NEW), ["update"]],
  ["a scheduled post that was taken off the plan, whose time has passed", scheduled(at(9 * HOUR)), {}, []],
  ["a post from the trash that was published", { status: "deleted", deletedAt: at(1) }, live(OLD), ["trash"]],
  ["a post whose review was asked for", {}, { review: { requestedBy: byUser(), requestedAt: NOW, note: "" } }, ["review"]],
];

describe("the way back", () => {
  test.each(WAYS)("of %s", (_, was, is, steps) => {
    const before = stateOf(post(was));
    const way = undoStepsOf(post(is), before, NOW);
    expect(way.steps).toEqual(steps);
  });

  test("of one that was created is the trash, once", () => {
    expect(undoStepsOf(post({}), null, NOW).steps).toEqual(["trash"]);
    expect(undoStepsOf(post({ status: "deleted" }), null, NOW).steps).toEqual([]);
  });

  test("says that the time has passed when nobody sees it yet", () => {
    const before = stateOf(post(scheduled(at(9 * HOUR))));
    expect(undoStepsOf(post({ status: "deleted" }), before, NOW)).toMatchObject({ steps: ["restore"], missedItsTime: true });
    expect(undoStepsOf(post(live(NEW)), before, NOW).missedItsTime).toBe(false);
  });
});

describe("setting back", () => {
  test.each(WAYS.filter(([, , , steps]) => steps.length > 0))(
    "%s is one version with at most one event, and nothing is left to do",
    (_, was, is) => {
      const [before, now] = [post(was), post(is)];
      const state = stateOf(before);
      const way = undoStepsOf(now, state, NOW);
      const content = { [state.working]: before.working, ...(before.live && state.live && { [state.live.content]: before.live.content }) };
      const shown = way.live ? content[way.live]! : null;
      const contents = {
        live: shown && { content: shown, rendering: buildRendering(shown) },
        working: way.working ? content[way.working]! : null,
      };
      const next = applyUndo(now, state, way, contents, { by: byUser(), now: NOW });
      expect(next.version).toBe(6);
      expect(next.pendingEvents.length).toBeLessThanOrEqual(1);
      for (const event of next.pendingEvents) expect(event.version).toBe(6);
      expect(next.working).toEqual(before.working);
      if (before.status === "published")
        expect([next.live?.content, next.live?.publishedAt]).toEqual([before.live?.content, before.live?.publishedAt]);
      expect(undoStepsOf(next, state, NOW).steps).toEqual([]);
    },
  );

  test("keeps the date of the first publication, whatever date a tool chose", () => {
    const before = post(live());
    const dated = buildContent(1, { publishedAt: at(0) });
    const now = post({ status: "published", working: dated, live: buildLive(dated, { publishedAt: at(0) }) });
    const way = undoStepsOf(now, stateOf(before), NOW);
    const next = applyUndo(
      now,
      stateOf(before),
      way,
      { live: { content: OLD, rendering: buildRendering(OLD) }, working: null },
      { by: byUser(), now: NOW },
    );
    expect(next.live?.publishedAt).toBe(before.live?.publishedAt);
  });
});
