import type { AnsweredPost, Content, OpenedPost, Patch } from "./content.ts";
import type { SaveState } from "./save-state.ts";
import type { Unsent } from "./unsent.ts";

export interface Transport {
  load(): Promise<OpenedPost>;
  save(patch: Patch, options: { expectedVersion: number; autosave: boolean; keepalive: boolean }): Promise<AnsweredPost>;
}

export interface DeskSnapshot {
  /** As last heard from the server. */
  readonly post: OpenedPost;
  /** With everything that was typed; the body lives in its editor. */
  readonly content: Omit<Content, "body">;
  /** Rises when the body was replaced from outside: the editor then takes `body()` over. */
  readonly bodyEpoch: number;
  readonly save: SaveState;
}

interface ActOptions {
  /** The answer says nothing of the body and of what is live: the post is read again. */
  readonly readAgain?: boolean;
  /** For what makes saving possible again, such as leaving the trash. */
  readonly evenUnsaved?: boolean;
}

export interface Desk {
  snapshot(): DeskSnapshot;
  subscribe(listener: () => void): () => void;
  change(patch: Omit<Patch, "body">): void;
  changeBody(read: () => string): void;
  /** The body's editor is going away: its text is read now, and not asked of it any more. */
  holdBody(): void;
  /** The body as it stands in the editor. */
  body(): string;
  /** At once. */
  flush(): Promise<void>;
  /** At once, and as a revision of its own. */
  save(): Promise<void>;
  /** Saves what is typed, then changes the post in another way (publish, rename, …), one after the other. */
  act(run: (expectedVersion: number) => Promise<AnsweredPost>, options?: ActOptions): Promise<AnsweredPost>;
  /** Somebody may have changed the post elsewhere. */
  refresh(): Promise<void>;
  /** The way to the server may be open again. */
  retry(): void;
  /** Unsent changes of a page that was closed. */
  takeUp(unsent: Unsent): "nothing" | "restored" | "conflict";
  /** Saves mine on top of theirs, which stays in the history. */
  keepMine(): Promise<void>;
  /** Theirs becomes the working copy; mine is put into the history first. */
  takeTheirs(): Promise<void>;
  /** The page is going away, perhaps for good. */
  hide(): void;
  /** Ends it; resolves when the last save has been answered. */
  close(): Promise<void>;
}
