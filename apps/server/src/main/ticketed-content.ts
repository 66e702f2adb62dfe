import { contentMoved, contentPaused, type HomedWebsite, isRefusedThere } from "#domain/content-home";
import { fail, Failure } from "#domain/failure";
import type { ContentHomes } from "#ports/content-homes";
import type { ContentStore } from "#ports/content-store";
import { aroundWrites } from "#ports/content-writes";

/** A ticket that took so long to come is not used: the write may land after its end. In milliseconds. */
const FRESH_MILLIS = 20_000;

interface Options {
  readonly homes: Pick<ContentHomes, "takeTicket" | "returnTicket">;
  readonly website: HomedWebsite;
  /** Throws where the database must not be written to. */
  readonly requireOurs: () => Promise<void>;
}

/**
 * A customer's database in which each write is announced before it begins. It has no row that every write passes, so the announcements are
 * what a move back waits for. Nothing is told to have been saved whose announcement had ended: the content may have moved meanwhile.
 */
export const ticketed = (content: ContentStore, options: Options): ContentStore =>
  aroundWrites(content, (write) => announce(options, write));

async function announce<T>(options: Options, write: () => Promise<T>): Promise<T> {
  const { homes, website, requireOurs } = options;
  await requireOurs();
  const ticket = await takeFreshTicket(options);
  let result: T;
  try {
    result = await write();
  } catch (error) {
    // What became of a write that was not answered is not known: its ticket stays until nothing of it can land any more.
    const isUnknown = error instanceof Failure && error.code === "CONTENT_STORE_UNAVAILABLE" && !isRefusedThere(error);
    if (!isUnknown) await homes.returnTicket(website.id, ticket);
    throw isRefusedThere(error) ? withoutCause(error as Failure) : error;
  }
  if (!(await homes.returnTicket(website.id, ticket))) throw tooLate();
  return result;
}

/** A full disk of a customer is told to the customer; by its cause it would be taken for a full disk of this server. */
const withoutCause = ({ code, message, facts }: Failure): Failure => fail(code, message, facts);

/** A node that was stopped while it waited for its ticket does not know how much of its life is over. */
async function takeFreshTicket({ homes, website }: Options): Promise<string> {
  for (;;) {
    const asked = performance.now();
    const taken = await homes.takeTicket(website);
    if (taken === "paused") throw contentPaused();
    if (taken === "moved") throw contentMoved();
    if (performance.now() - asked < FRESH_MILLIS) return taken.ticket;
    await homes.returnTicket(website.id, taken.ticket);
  }
}

const tooLate = (): Failure =>
  fail(
    "CONTENT_STORE_UNAVAILABLE",
    "The content database took too long to answer. Look whether your change is there, and save again if it is not.",
  );
