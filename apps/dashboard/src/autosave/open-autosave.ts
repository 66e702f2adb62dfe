import { rpc } from "../api/rpc.ts";
import type { Autosave, Transport } from "./autosave-types.ts";
import { createAutosave } from "./autosave.ts";
import { keysOf, type ServerPost, sameValue } from "./content.ts";
import { registerTab, openTabs } from "./open-tabs.ts";
import { systemClock } from "./timing.ts";
import { orphansOf, type Unsent, unsentStore } from "./unsent.ts";

export interface OpenAutosave extends Autosave {
  /** What happened to unsent changes that an earlier tab left behind. */
  readonly recovery: "nothing" | "restored" | "conflict";
}

/** A request over a connection that died silently gets no answer for minutes, and nothing else is saved meanwhile. */
const ANSWER_MILLIS = 60_000;

/** Last saves that are still running, by post: a person who opens the post again must read what they wrote. */
const closing = new Map<string, Promise<void>>();

/** Opens a post for editing: reads it, restores the unsent changes of a closed tab, and listens to the browser. */
export async function openAutosave(options: {
  websiteId: string;
  postId: string;
  userId: string;
  mayEdit: (post: ServerPost) => boolean;
}): Promise<OpenAutosave> {
  const { websiteId, postId, userId } = options;
  await closing.get(postId);
  const at = { websiteId, postId };
  const transport: Transport = {
    load: () => rpc("get_post", at, { signal: AbortSignal.timeout(ANSWER_MILLIS) }),
    save: (patch, { keepalive, ...options }) =>
      rpc("edit_post", { ...at, ...patch, ...options }, { keepalive, signal: AbortSignal.timeout(ANSWER_MILLIS) }),
  };
  const [post, tabs] = await Promise.all([transport.load(), openTabs()]);
  const tabId = crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`;
  const releaseTab = registerTab(tabId);
  const autosave = createAutosave({
    post,
    transport,
    unsent: unsentStore(localStorage, { userId, postId, tabId, websiteId }),
    clock: systemClock,
  });
  const recovery = options.mayEdit(post) ? await restoreNewest(autosave, options, tabs) : "nothing";
  const stopListening = listen(autosave, postId, tabId);
  return {
    ...autosave,
    recovery,
    async close() {
      stopListening();
      const closed = autosave.close().finally(() => {
        releaseTab();
        closing.delete(postId);
      });
      closing.set(postId, closed);
      await closed;
    },
  };
}

/** Restores the newest unsent changes. Those of other closed tabs stay stored until the post is opened again. */
async function restoreNewest(
  autosave: Autosave,
  owner: { websiteId: string; userId: string; postId: string },
  tabs: ReadonlySet<string>,
): Promise<OpenAutosave["recovery"]> {
  for (const orphan of orphansOf(localStorage, { ...owner, openTabs: tabs }).toReversed()) {
    const recovery = (await hasArrived(owner, orphan.unsent)) ? "nothing" : autosave.restore(orphan.unsent);
    // The changes are stored again, under the id of this tab.
    orphan.delete();
    if (recovery !== "nothing") return recovery;
  }
  return "nothing";
}

/** A closing tab does not hear whether its last save arrived. If it did, the history has a revision with the same values. */
async function hasArrived(owner: { websiteId: string; userId: string; postId: string }, unsent: Unsent): Promise<boolean> {
  const at = { websiteId: owner.websiteId, postId: owner.postId };
  const { items } = await rpc("list_revisions", { ...at, limit: 20 });
  const own = items.filter(({ author, version }) => author.userId === owner.userId && version > unsent.version);
  for (const { id: revisionId } of own.slice(-3)) {
    const { content } = await rpc("get_revision", { ...at, revisionId });
    if (keysOf(unsent.patch).every((key) => sameValue(unsent.patch[key], content[key]))) return true;
  }
  return false;
}

function listen(autosave: Autosave, postId: string, tabId: string): () => void {
  const listening = new AbortController();
  const { signal } = listening;
  window.addEventListener("online", () => autosave.retry(), { signal });
  window.addEventListener("pagehide", () => autosave.saveOnPageHide(), { signal });
  // The browser asks before closing only if the text would be lost.
  window.addEventListener("beforeunload", (event) => isOnlyHere(autosave) && event.preventDefault(), { signal });
  // On a phone this may be the last event that the page gets.
  document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && void autosave.flush(), { signal });
  const onReturn = () => {
    if (document.visibilityState === "hidden") return;
    autosave.retry();
    void autosave.refresh();
  };
  window.addEventListener("focus", onReturn, { signal });
  window.addEventListener("pageshow", (event) => event.persisted && onReturn(), { signal });
  const stopAnnouncing = announceVersions(autosave, postId, tabId);
  return () => {
    listening.abort();
    stopAnnouncing();
  };
}

function isOnlyHere(autosave: Autosave): boolean {
  const { save, keptHere } = autosave.snapshot();
  return save.phase !== "saved" && !keptHere;
}

/** Tells the other tabs of this browser about every new version, and reads the post again when they tell of one. */
function announceVersions(autosave: Autosave, postId: string, tabId: string): () => void {
  const channel = new BroadcastChannel("stet.posts");
  let announced = autosave.snapshot().post.version;
  const stop = autosave.subscribe(() => {
    const { version } = autosave.snapshot().post;
    if (version <= announced) return;
    announced = version;
    channel.postMessage({ postId, version, tabId });
  });
  channel.addEventListener("message", ({ data }: MessageEvent<{ postId: string; version: number; tabId: string }>) => {
    if (data.postId === postId && data.tabId !== tabId && data.version > autosave.snapshot().post.version) void autosave.refresh();
  });
  return () => {
    stop();
    channel.close();
  };
}
