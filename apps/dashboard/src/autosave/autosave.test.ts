import { beforeEach, expect, test, vi } from "vitest";
import { ApiProblem } from "../lib/problem.ts";
import type { Autosave } from "./autosave-types.ts";
import type { SavedPost } from "./content.ts";
import { createAutosave } from "./autosave.ts";
import { samplePost, createTestServer, manualClock, memoryStorage, type TestServer } from "./test-server.ts";
import { orphansOf, unsentStore } from "./unsent.ts";

const OWNER = { userId: "user_1", postId: "post_1" };
let clock: ReturnType<typeof manualClock>;
let server: TestServer;
let storage: ReturnType<typeof memoryStorage>;
let autosave: Autosave;

const open = (tabId: string, on = server): Autosave =>
  createAutosave({ post: on.opened(), transport: on.transport, unsent: unsentStore(storage, { ...OWNER, tabId }), clock });
const phase = (of = autosave) => of.snapshot().save.phase;
const orphans = (...tabs: string[]) => orphansOf(storage, { ...OWNER, openTabs: new Set(tabs) });

beforeEach(() => {
  clock = manualClock();
  storage = memoryStorage();
  server = createTestServer(samplePost({ title: "First", body: "One." }));
  autosave = open("a");
});

test("a post that nobody typed in is never saved", async () => {
  autosave.changeBody(() => "One.");
  await clock.pass(60_000);
  await autosave.save();
  autosave.saveOnPageHide();
  expect(server.saves).toEqual([]);
  expect(phase()).toBe("saved");
});

test("a save waits for a second's pause, and for five seconds at most", async () => {
  autosave.change({ title: "A" });
  await clock.pass(900);
  autosave.change({ title: "AB" });
  await clock.pass(900);
  expect(server.saves).toHaveLength(0);
  await clock.pass(100);
  expect(server.saves).toMatchObject([{ patch: { title: "AB" }, expectedVersion: 1, autosave: true }]);
  for (let typed = 0; typed < 12; typed += 1) {
    autosave.changeBody(() => `Typing ${typed}`);
    await clock.pass(500);
  }
  expect(server.saves).toHaveLength(2);
});

test("one save is under way at a time; what is typed meanwhile is sent after it", async () => {
  const answer = server.holdNext();
  autosave.change({ title: "A" });
  await clock.pass(1_000);
  expect(phase()).toBe("saving");
  autosave.change({ title: "AB" });
  await clock.pass(5_000);
  expect(server.saves).toHaveLength(1);
  answer();
  await clock.pass(0);
  expect(server.saves).toMatchObject([{ patch: { title: "A" } }, { patch: { title: "AB" }, expectedVersion: 2 }]);
  expect(phase()).toBe("saved");
});

test("an answer fills in what the server chose, never what is being typed", async () => {
  const answer = server.holdNext();
  autosave.change({ title: "A" });
  await clock.pass(1_000);
  autosave.change({ title: "Typed on" });
  server.answerWith({ slug: "a", title: "What the server has" });
  answer();
  await clock.pass(0);
  expect(autosave.snapshot().content).toMatchObject({ title: "Typed on", slug: "a" });
});

test("offline: tried again with growing pauses, and at once when the way is open", async () => {
  server.offline = true;
  autosave.change({ title: "A" });
  await clock.pass(1_000);
  expect(autosave.snapshot()).toMatchObject({ save: { phase: "waiting" }, keptHere: true });
  await clock.pass(1_000 + 2_000 + 4_000);
  expect(server.tries).toBe(4);
  autosave.change({ title: "AB" });
  await clock.pass(2_000);
  expect(server.tries).toBe(4);
  expect(orphans()[0]?.unsent.patch).toEqual({ title: "AB" });
  server.offline = false;
  autosave.retry();
  await clock.pass(0);
  expect(server.post.working.title).toBe("AB");
  expect(phase()).toBe("saved");
  expect(orphans()).toEqual([]);
});

test("a full disk of the server is tried again, and the page can say that it is one", async () => {
  server.failNext(new ApiProblem({ status: 507, code: "STORAGE_FULL", detail: "The disk of this server is full." }));
  autosave.change({ title: "A" });
  await clock.pass(1_000);
  expect(autosave.snapshot()).toMatchObject({ save: { phase: "waiting", code: "STORAGE_FULL" }, keptHere: true });
  await clock.pass(1_000);
  expect(server.post.working.title).toBe("A");
});

test.each([429, 500, 503])("%i is tried again, and nothing is lost", async (status) => {
  server.failNext(new ApiProblem({ status, code: "UNAVAILABLE", detail: "Later." }));
  autosave.change({ title: "A" });
  await clock.pass(1_000);
  expect(phase()).toBe("waiting");
  await clock.pass(1_000);
  expect(server.post.working.title).toBe("A");
});

test("while content moves every save is refused for seconds: what is typed meanwhile is kept, and saved when it is over", async () => {
  const paused = { status: 503, code: "CONTENT_STORE_UNAVAILABLE", detail: "It is being moved.", facts: { reason: "paused" } } as const;
  server.failNext(new ApiProblem(paused));
  autosave.change({ title: "A" });
  await clock.pass(1_000);
  expect(autosave.snapshot()).toMatchObject({ save: { phase: "waiting", passesSoon: true }, keptHere: true });
  server.failNext(new ApiProblem(paused));
  autosave.changeBody(() => "Typed meanwhile.");
  await clock.pass(1_000);
  expect(phase()).toBe("waiting");
  await clock.pass(2_000);
  expect(server.post.working).toMatchObject({ title: "A", body: "Typed meanwhile." });
  expect(phase()).toBe("saved");
});

test("a save whose answer was lost is recognised as one's own, and typing goes on upon it", async () => {
  server.loseNextAnswer();
  autosave.changeBody(() => "One. Two.");
  await clock.pass(1_000);
  autosave.changeBody(() => "One. Two. Three.");
  await clock.pass(1_000);
  expect(server.post.working.body).toBe("One. Two. Three.");
  expect(phase()).toBe("saved");
});

test("what is taken back after a save whose answer was lost is taken back on the server, too", async () => {
  server.loseNextAnswer();
  autosave.change({ title: "Too much" });
  await clock.pass(1_000);
  autosave.change({ title: "First" });
  await clock.pass(2_000);
  expect([server.post.working.title, phase(), orphans()]).toEqual(["First", "saved", []]);
});

test("someone else's change of another field is taken over, and one's own saved on top", async () => {
  server.edit({ excerpt: "Theirs" });
  autosave.change({ title: "Mine" });
  await clock.pass(1_000);
  expect(server.post.working).toMatchObject({ title: "Mine", excerpt: "Theirs" });
  expect(autosave.snapshot().content).toMatchObject({ title: "Mine", excerpt: "Theirs" });
});

test("both changed the same: saving stops, both texts are kept", async () => {
  server.edit({ body: "Theirs." });
  autosave.changeBody(() => "Mine.");
  await clock.pass(1_000);
  expect(autosave.snapshot().save).toMatchObject({
    phase: "conflict",
    conflict: { keys: ["body"], theirs: { working: { body: "Theirs." } } },
  });
  autosave.changeBody(() => "Mine, typed on.");
  await clock.pass(60_000);
  expect(server.post.working.body).toBe("Theirs.");
  expect(autosave.body()).toBe("Mine, typed on.");
  expect(orphans()[0]?.unsent.patch.body).toBe("Mine, typed on.");
});

test("keep mine: saved as a revision on top of theirs", async () => {
  server.edit({ body: "Theirs." });
  autosave.changeBody(() => "Mine.");
  await clock.pass(1_000);
  await autosave.keepMine();
  expect(server.post.working.body).toBe("Mine.");
  expect(server.saves.at(-1)).toMatchObject({ expectedVersion: 2, autosave: false });
  expect([phase(), orphans()]).toEqual(["saved", []]);
});

test.each(["tries again", "is closed"])("keep mine that did not arrive is a version of its own when the page %s", async (then) => {
  server.edit({ body: "Theirs." });
  autosave.changeBody(() => "Mine.");
  await clock.pass(1_000);
  server.offline = true;
  await autosave.keepMine();
  expect(phase()).toBe("waiting");
  server.offline = false;
  if (then === "is closed") autosave.saveOnPageHide();
  else await clock.pass(1_000);
  await clock.pass(0);
  expect(server.saves.at(-1)).toMatchObject({ patch: { body: "Mine." }, autosave: false });
});

test("take theirs: mine goes into the history first", async () => {
  server.edit({ body: "Theirs." });
  autosave.changeBody(() => "Mine.");
  autosave.change({ title: "My title" });
  await clock.pass(1_000);
  const epoch = autosave.snapshot().bodyEpoch;
  await autosave.takeTheirs();
  expect(server.revisions.slice(0, 3).map(({ body }) => body)).toEqual(["Theirs.", "Mine.", "Theirs."]);
  expect(autosave.body()).toBe("Theirs.");
  expect(autosave.snapshot().bodyEpoch).toBeGreaterThan(epoch);
  // Only one side had touched the title: it is saved like any other edit.
  expect(server.post.working.title).toBe("My title");
  expect(phase()).toBe("saved");
});

test("a field that is refused does not hold the others up", async () => {
  const errors = [{ field: "fields.price", message: "must be a number" }];
  server.failNext(new ApiProblem({ status: 422, code: "VALIDATION_FAILED", detail: "No.", errors }));
  autosave.change({ title: "A", fields: { price: "x" } });
  await clock.pass(1_000);
  expect(server.post.working).toMatchObject({ title: "A", fields: {} });
  expect(autosave.snapshot().save).toEqual({ phase: "refused", errors: { fields: "fields.price must be a number" } });
  autosave.change({ fields: { price: 3 } });
  await clock.pass(1_000);
  expect(server.post.working.fields).toEqual({ price: 3 });
  expect(phase()).toBe("saved");
});

test("what the server will never take stops the saving, keeps the text and says why", async () => {
  server.failNext(new ApiProblem({ status: 403, code: "INSUFFICIENT_ROLE", detail: "Ask an editor." }));
  autosave.change({ title: "A" });
  await clock.pass(60_000);
  expect(autosave.snapshot().save).toEqual({ phase: "stopped", message: "Ask an editor.", code: "INSUFFICIENT_ROLE" });
  expect(orphans()).toHaveLength(1);
  autosave.retry();
  await clock.pass(0);
  expect(server.post.working.title).toBe("A");
});

test("an explicit save makes a revision, also of what was autosaved before, and only once", async () => {
  autosave.change({ title: "A" });
  await clock.pass(1_000);
  await autosave.save();
  await autosave.save();
  expect(server.saves.map(({ autosave }) => autosave)).toEqual([true, false]);
});

test("an action comes after what was typed, with its version", async () => {
  autosave.changeBody(() => "Ready.");
  await autosave.runAction(async (version) => {
    expect(server.post.working.body).toBe("Ready.");
    return server.publish(version);
  });
  expect(autosave.snapshot().post).toMatchObject({ status: "published", version: 3 });
});

test("no action is taken on what others wrote and nobody here has seen; a save of one's own is known", async () => {
  const run = vi.fn<(version: number) => Promise<SavedPost>>(server.publish);
  server.edit({ body: "Written by an app." });
  autosave.change({ title: "Mine" });
  await expect(autosave.runAction(run)).rejects.toMatchObject({ code: "VERSION_CONFLICT" });
  expect(run).not.toHaveBeenCalled();
  expect([autosave.body(), server.post.working.title, phase()]).toEqual(["Written by an app.", "Mine", "saved"]);
  server.loseNextAnswer();
  autosave.change({ title: "Mine again" });
  await clock.pass(1_000);
  expect(phase()).toBe("waiting");
  await autosave.runAction(run, { readAgain: true });
  expect(server.post).toMatchObject({ status: "published", working: { title: "Mine again" } });
});

test("no action is taken while the text is not saved", async () => {
  server.offline = true;
  autosave.changeBody(() => "Ready.");
  const run = vi.fn<(version: number) => never>();
  await expect(autosave.runAction(run)).rejects.toThrow("not saved yet");
  expect(run).not.toHaveBeenCalled();
});

test("an action on what somebody changed meanwhile fails, and shows what is there", async () => {
  server.edit({ title: "Theirs" });
  await expect(autosave.runAction((version) => server.publish(version))).rejects.toThrow();
  expect(autosave.snapshot()).toMatchObject({ content: { title: "Theirs" }, post: { version: 2 } });
});

test("a closing page sends what is small, and keeps it until it is known to have arrived", async () => {
  autosave.changeBody(() => "Typed and closed.");
  autosave.saveOnPageHide();
  expect(server.saves).toMatchObject([{ keepalive: true, patch: { body: "Typed and closed." } }]);
  await clock.pass(0);
  const next = open("b");
  expect(next.restore(orphans("b")[0]!.unsent)).toBe("nothing");
});

test("a closing page keeps what is large for the next one", () => {
  autosave.changeBody(() => "x".repeat(70_000));
  autosave.saveOnPageHide();
  expect(server.saves).toEqual([]);
  const next = open("b");
  expect(next.restore(orphans("b")[0]!.unsent)).toBe("restored");
  expect(next.body()).toHaveLength(70_000);
});

test("what a closed page left is taken up when only other things changed meanwhile, and saved", async () => {
  server.offline = true;
  autosave.changeBody(() => "Unsent.");
  autosave.saveOnPageHide();
  server.offline = false;
  server.edit({ excerpt: "Theirs" });
  const next = open("b");
  expect(next.restore(orphans("b")[0]!.unsent)).toBe("restored");
  await clock.pass(1_000);
  expect(server.post.working).toMatchObject({ body: "Unsent.", excerpt: "Theirs" });
});

test("what a closed page left meets a newer text as a conflict, not as an overwrite", async () => {
  server.offline = true;
  autosave.changeBody(() => "Unsent.");
  autosave.saveOnPageHide();
  server.offline = false;
  server.edit({ body: "Theirs." });
  const next = open("b");
  expect(next.restore(orphans("b")[0]!.unsent)).toBe("conflict");
  await clock.pass(60_000);
  expect([next.body(), server.post.working.body]).toEqual(["Unsent.", "Theirs."]);
});

test("a conflict that nobody has decided stays one, however often the page is closed and opened", async () => {
  server.offline = true;
  autosave.changeBody(() => "Unsent.");
  autosave.change({ excerpt: "Mine alone" });
  autosave.saveOnPageHide();
  server.offline = false;
  server.edit({ body: "Theirs." });
  for (const tab of ["b", "c", "d"]) {
    const [orphan] = orphans(tab);
    const next = open(tab);
    expect(next.restore(orphan!.unsent)).toBe("conflict");
    orphan!.delete();
    await clock.pass(2_000);
    next.saveOnPageHide();
    await next.close();
    expect(server.post.working.body).toBe("Theirs.");
  }
  expect(orphans()[0]?.unsent.patch).toEqual({ body: "Unsent.", excerpt: "Mine alone" });
});

test("a second page of the same person keeps its own unsent text, and takes over what the first saved", async () => {
  const other = open("b");
  autosave.change({ title: "From a" });
  await clock.pass(1_000);
  other.change({ excerpt: "From b" });
  await other.refresh();
  expect(other.snapshot().content).toMatchObject({ title: "From a", excerpt: "From b" });
  await clock.pass(1_000);
  expect(server.post.working).toMatchObject({ title: "From a", excerpt: "From b" });
  expect(orphans("a", "b")).toEqual([]);
});

test("an idle page shows what somebody else saved", async () => {
  server.edit({ body: "Theirs." });
  await autosave.refresh();
  expect([autosave.body(), autosave.snapshot().bodyEpoch]).toEqual(["Theirs.", 1]);
});

test("a body is never asked of an editor that is gone", async () => {
  let editor: string | null = "Typed last.";
  autosave.changeBody(() => editor ?? "");
  autosave.readBodyNow();
  editor = null;
  await autosave.close();
  expect(server.post.working.body).toBe("Typed last.");
});

test("closing saves what is left and resolves when it is answered", async () => {
  autosave.change({ title: "Last words" });
  await autosave.close();
  expect(server.post.working.title).toBe("Last words");
  expect(orphans()).toEqual([]);
});

test.each([
  { phase: "waiting", trouble: () => (server.offline = true) },
  { phase: "conflict", trouble: () => server.edit({ title: "Theirs" }) },
  { phase: "stopped", trouble: () => server.failNext(new ApiProblem({ status: 403, code: "INSUFFICIENT_ROLE", detail: "No." })) },
])("a browser that stores nothing is said so: $phase", async ({ phase: expected, trouble }) => {
  storage.full = true;
  trouble();
  autosave.change({ title: "A" });
  await clock.pass(1_000);
  expect(autosave.snapshot()).toMatchObject({ save: { phase: expected }, keptHere: false });
  storage.full = false;
  autosave.change({ title: "AB" });
  await clock.pass(1_000);
  expect(autosave.snapshot()).toMatchObject({ save: { phase: expected }, keptHere: true });
});

test("keeping mine takes over what only they changed", async () => {
  server.edit({ title: "Theirs", body: "Their body." });
  autosave.change({ title: "Mine" });
  await clock.pass(1_000);
  await autosave.keepMine();
  expect(server.post.working).toMatchObject({ title: "Mine", body: "Their body." });
  expect([autosave.body(), autosave.snapshot().bodyEpoch]).toEqual(["Their body.", 1]);
});

test("what others change while a person chooses is asked about, too", async () => {
  server.edit({ title: "Theirs" });
  autosave.change({ title: "Mine", excerpt: "My excerpt" });
  await clock.pass(1_000);
  server.edit({ excerpt: "Their excerpt" });
  await expect(autosave.takeTheirs()).rejects.toThrow("changed again");
  expect(autosave.snapshot().save).toMatchObject({ phase: "conflict", conflict: { keys: ["title", "excerpt"] } });
  server.edit({ title: "First", excerpt: "" });
  await expect(autosave.takeTheirs()).rejects.toThrow("changed again");
  await clock.pass(1_000);
  expect([phase(), server.post.working]).toMatchObject(["saved", { title: "Mine", excerpt: "My excerpt" }]);
});

test("giving way that broke off half way takes over what others wrote meanwhile", async () => {
  server.edit({ title: "Theirs" });
  autosave.change({ title: "Mine" });
  await clock.pass(1_000);
  server.failAfter(1);
  await expect(autosave.takeTheirs()).rejects.toThrow("cannot be reached");
  server.edit({ body: "By an app." });
  await expect(autosave.takeTheirs()).rejects.toThrow("changed again");
  await autosave.takeTheirs();
  expect([server.post.working.title, autosave.body(), phase()]).toEqual(["Theirs", "By an app.", "saved"]);
});

test("giving way that broke off half way goes on, and shows what came in between", async () => {
  server.edit({ body: "Theirs." });
  autosave.changeBody(() => "Mine.");
  await clock.pass(1_000);
  server.failAfter(1);
  await expect(autosave.takeTheirs()).rejects.toThrow();
  expect(server.post.working.body).toBe("Mine.");
  await autosave.takeTheirs();
  expect([server.post.working.body, phase()]).toEqual(["Theirs.", "saved"]);

  server.edit({ body: "Theirs again." });
  autosave.changeBody(() => "Mine again.");
  await clock.pass(1_000);
  server.edit({ body: "And again." });
  await expect(autosave.takeTheirs()).rejects.toThrow("changed again");
  expect(autosave.snapshot().save).toMatchObject({ phase: "conflict", conflict: { theirs: { working: { body: "And again." } } } });
});
