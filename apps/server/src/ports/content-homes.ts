import type { ContentHome, HomedWebsite } from "#domain/content-home";
import type { WebsiteId } from "#domain/ids";
import type { Website } from "#domain/website";
import type { HeldMove } from "#ports/moves";

/** Where the content of websites lies, and the steps by which it moves. */
export interface ContentHomes {
  /** The websites whose content lies in a customer's database, by id. Deleted ones are left out. */
  listOwn(): Promise<readonly Website[]>;
  /** Those whose content lies there, deleted ones included: what our own store has of them is an old copy. */
  listMoved(): Promise<readonly WebsiteId[]>;
  /**
   * Refuses writes of records in our own store for so many seconds, ten at most, and answers when those under way are over. It ends by
   * itself. Asked for again, it begins anew.
   */
  pause(websiteId: WebsiteId, seconds: number): Promise<void>;
  /** Ends the pause before its time. */
  resume(websiteId: WebsiteId): Promise<void>;
  /**
   * Moves the website in one step, with an epoch and a content version of its own, if it is still where `website` says and the pause has
   * not ended, and where a mover is given, if the move is still its to do; false, and nothing has changed, where that is not so. Clients
   * that follow its changes start again.
   */
  move(website: HomedWebsite, to: ContentHome["kind"], mover?: HeldMove): Promise<boolean>;
  /** The epoch that began when a mover last brought the content back; null where none did. */
  returnedEpoch(websiteId: WebsiteId): Promise<number | null>;
  /**
   * Announces a write to the customer's database of the website, for a minute at most; no pause ends before it is over. A word instead of
   * a ticket: the website is paused, or does not lie where `website` says.
   */
  takeTicket(website: HomedWebsite): Promise<{ readonly ticket: string } | "paused" | "moved">;
  /** The write is over. False: its ticket had ended before, so nobody waited for it and it may have come too late. */
  returnTicket(websiteId: WebsiteId, ticket: string): Promise<boolean>;
  /** How many writes are announced. */
  countTickets(websiteId: WebsiteId): Promise<number>;
}
