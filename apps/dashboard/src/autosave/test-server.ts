import { ApiProblem } from "../lib/problem.ts";
import type { Transport } from "./autosave-types.ts";
import type { Content, Patch, SavedPost, ServerPost } from "./content.ts";
import type { Clock } from "./timing.ts";

/** A clock for tests: time passes only in `pass`, which also runs every timer that is due by then. */
export function manualClock(): Clock & { pass(millis: number): Promise<void> } {
  let now = Date.parse("2026-11-15T09:00:00.000Z");
  let last = 0;
  const timers = new Map<number, { at: number; run: () => void }>();
  const settle = async () => {
    for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
  };
  return {
    now: () => now,
    after(millis, run) {
      const id = (last += 1);
      timers.set(id, { at: now + millis, run });
      return () => timers.delete(id);
    },
    async pass(millis) {
      const until = now + millis;
      await settle();
      for (;;) {
        const [due] = [...timers].filter(([, { at }]) => at <= until).toSorted(([, one], [, other]) => one.at - other.at);
        if (!due) break;
        timers.delete(due[0]);
        now = due[1].at;
        due[1].run();
        await settle();
      }
      now = until;
      await settle();
    },
  };
}

/** Local storage for tests. */
export function memoryStorage() {
  const entries = new Map<string, string>();
  return {
    full: false,
    get length() {
      return entries.size;
    },
    key: (index: number) => [...entries.keys()][index] ?? null,
    getItem: (key: string) => entries.get(key) ?? null,
    setItem(key: string, value: string) {
      if (this.full) throw new DOMException("", "QuotaExceededError");
      entries.set(key, value);
    },
    removeItem: (key: string) => void entries.delete(key),
  };
}

export function samplePost(working: Patch): ServerPost {
  const content: Content = {
    title: "",
    slug: "first",
    excerpt: "",
    body: "",
    coverMediaId: null,
    coverAlt: null,
    categoryIds: [],
    tagIds: [],
    authorIds: [],
    featured: false,
    seo: { title: null, description: null, canonicalUrl: null, ogImageUrl: null, noindex: false },
    fields: {},
    publishedAt: null,
    ...working,
  };
  return {
    id: "post_1",
    websiteId: "site_1",
    version: 1,
    status: "draft",
    working: content,
    workingMediaIds: [],
    slugFollowsTitle: true,
    live: null,
    hasUnpublishedChanges: false,
    pastSlugs: [],
    ownerId: "user_1",
    createdAt: "2026-11-15T08:00:00.000Z",
    editedAt: "2026-11-15T08:00:00.000Z",
    editedBy: { type: "user", id: "user_1", userId: "user_1" },
    scheduledAt: null,
    deletedAt: null,
    review: null,
    publishedAt: null,
    updatedAt: null,
  };
}

interface Save {
  readonly patch: Patch;
  readonly expectedVersion: number;
  readonly autosave: boolean;
  readonly keepalive: boolean;
}

export type TestServer = ReturnType<typeof createTestServer>;

/** The server's rules for versions, in memory: the autosave's logic is tried with answers that come late, fail or are lost. */
export function createTestServer(first: ServerPost) {
  const failures: ApiProblem[] = [];
  let held: Promise<void> | null = null;
  let losesAnswer = false;
  let after = -1;
  let answerOnce: Patch = {};
  const unreachable = () => new ApiProblem({ status: 0, code: "OFFLINE", detail: "The server cannot be reached." });
  const answered = (): SavedPost => {
    const { live: _, working, ...head } = server.post;
    const { body: __, ...content } = { ...working, ...answerOnce };
    answerOnce = {};
    return { ...head, working: content };
  };
  const requireVersion = (version: number) => {
    if (version !== server.post.version) throw new ApiProblem({ status: 409, code: "VERSION_CONFLICT", detail: "Changed meanwhile." });
  };

  const transport: Transport = {
    async load() {
      if (server.offline) throw unreachable();
      return server.opened();
    },
    async save(patch, options) {
      server.tries += 1;
      if (server.offline) throw unreachable();
      const failure = after-- === 0 ? unreachable() : failures.shift();
      if (failure) throw failure;
      server.saves.push({ patch, ...options });
      const waits = held;
      held = null;
      if (waits) await waits;
      requireVersion(options.expectedVersion);
      server.edit(patch);
      if (losesAnswer) {
        losesAnswer = false;
        throw unreachable();
      }
      return answered();
    },
  };
  const server = {
    post: first,
    transport,
    offline: false,
    tries: 0,
    saves: [] as Save[],
    revisions: [] as Content[],
    opened: () => structuredClone(server.post),
    /** Somebody's save. */
    edit(patch: Patch) {
      server.post = { ...server.post, version: server.post.version + 1, working: { ...server.post.working, ...patch } };
      server.revisions.push(server.post.working);
    },
    async publish(version: number): Promise<SavedPost> {
      requireVersion(version);
      server.post = { ...server.post, version: version + 1, status: "published" };
      return answered();
    },
    failNext: (problem: ApiProblem) => void failures.push(problem),
    /** So many saves arrive, the next one does not. */
    failAfter(saves: number) {
      after = saves;
    },
    loseNextAnswer() {
      losesAnswer = true;
    },
    answerWith(content: Patch) {
      answerOnce = content;
    },
    /** The next save is answered when this is called. */
    holdNext(): () => void {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return resolve;
    },
  };
  return server;
}
