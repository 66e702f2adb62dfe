import { rpc } from "../api/rpc.ts";
import type { Desk, Transport } from "./autosave-types.ts";
import { createDesk } from "./autosave.ts";
import { keysOf, type OpenedPost, sameValue } from "./content.ts";
import { holdDesk, livingDesks } from "./open-tabs.ts";
import { systemClock } from "./timing.ts";
import { orphansIn, type Unsent, unsentIn } from "./unsent.ts";

export interface OpenDesk extends Desk {
  /** What became of changes that an earlier page could not send. */
  readonly found: "nothing" | "restored" | "conflict";
}

/** Desks that are still saving: whoever comes back to the post at once must read what they wrote. */
const closing = new Map<string, Promise<void>>();

/** Opens a post to work on it: reads it, takes up what a closed page left, and listens to the browser. */
export async function openDesk(place: {
  websiteId: string;
  postId: string;
  userId: string;
  mayEdit: (post: OpenedPost) => boolean;
}): Promise<OpenDesk> {
  const { websiteId, postId, userId } = place;
  await closing.get(postId);
  const at = { websiteId, postId };
  const transport: Transport = {
    load: () => rpc("get_post", at),
    save: (patch, { keepalive, ...options }) => rpc("edit_post", { ...at, ...patch, ...options }, { keepalive }),
  };
  const [post, living] = await Promise.all([transport.load(), livingDesks()]);
  const deskId = crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`;
  const letGo = holdDesk(deskId);
  const desk = createDesk({ post, transport, unsent: unsentIn(localStorage, { userId, postId, deskId, websiteId }), clock: systemClock });
  const found = place.mayEdit(post) ? await takeUpNewest(desk, place, living) : "nothing";
  const stopListening = listen(desk, postId, deskId);
  return {
    ...desk,
    found,
    async close() {
      stopListening();
      const closed = desk.close().finally(() => {
        letGo();
        closing.delete(postId);
      });
      closing.set(postId, closed);
      await closed;
    },
  };
}

/** Of several closed pages the newest is taken up; the others stay, for the next time. */
async function takeUpNewest(
  desk: Desk,
  place: { websiteId: string; userId: string; postId: string },
  living: ReadonlySet<string>,
): Promise<OpenDesk["found"]> {
  for (const { unsent, forget } of orphansIn(localStorage, { ...place, living }).toReversed()) {
    const found = (await hasArrived(place, unsent)) ? "nothing" : desk.takeUp(unsent);
    // The desk has stored it again, under its own name.
    forget();
    if (found !== "nothing") return found;
  }
  return "nothing";
}

/** A closing page does not hear whether what it sent arrived. If so, it stands in the history, whatever came after it. */
async function hasArrived(place: { websiteId: string; userId: string; postId: string }, unsent: Unsent): Promise<boolean> {
  const at = { websiteId: place.websiteId, postId: place.postId };
  const { items } = await rpc("list_revisions", { ...at, limit: 20 });
  const own = items.filter(({ author, version }) => author.userId === place.userId && version > unsent.version);
  for (const { id: revisionId } of own.slice(-3)) {
    const { content } = await rpc("get_revision", { ...at, revisionId });
    if (keysOf(unsent.patch).every((key) => sameValue(unsent.patch[key], content[key]))) return true;
  }
  return false;
}

function listen(desk: Desk, postId: string, deskId: string): () => void {
  const listening = new AbortController();
  const { signal } = listening;
  window.addEventListener("online", () => desk.retry(), { signal });
  window.addEventListener("pagehide", () => desk.hide(), { signal });
  // Asked only where the text would really be gone.
  window.addEventListener("beforeunload", (event) => isOnlyHere(desk) && event.preventDefault(), { signal });
  // On a phone this may be the last that the page hears.
  document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && void desk.flush(), { signal });
  const comeBack = () => {
    if (document.visibilityState === "hidden") return;
    desk.retry();
    void desk.refresh();
  };
  window.addEventListener("focus", comeBack, { signal });
  window.addEventListener("pageshow", (event) => event.persisted && comeBack(), { signal });
  const stopTelling = tellOtherPages(desk, postId, deskId);
  return () => {
    listening.abort();
    stopTelling();
  };
}

function isOnlyHere(desk: Desk): boolean {
  const { save } = desk.snapshot();
  return save.phase === "waiting" && !save.keptHere;
}

/** Other tabs of this browser hear of every new version at once. */
function tellOtherPages(desk: Desk, postId: string, deskId: string): () => void {
  const channel = new BroadcastChannel("stet.posts");
  let told = desk.snapshot().post.version;
  const stop = desk.subscribe(() => {
    const { version } = desk.snapshot().post;
    if (version <= told) return;
    told = version;
    channel.postMessage({ postId, version, deskId });
  });
  channel.addEventListener("message", ({ data }: MessageEvent<{ postId: string; version: number; deskId: string }>) => {
    if (data.postId === postId && data.deskId !== deskId && data.version > desk.snapshot().post.version) void desk.refresh();
  });
  return () => {
    stop();
    channel.close();
  };
}
