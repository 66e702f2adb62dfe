import type { SavedPost, Content, ServerPost, Patch } from "./content.ts";
import type { SaveState } from "./save-state.ts";
import type { Unsent } from "./unsent.ts";

export interface Transport {
  load(): Promise<ServerPost>;
  save(patch: Patch, options: { expectedVersion: number; autosave: boolean; keepalive: boolean }): Promise<SavedPost>;
}

export interface AutosaveSnapshot {
  /** The post as the server last sent it. */
  readonly post: ServerPost;
  /** The content with all edits; the body is in its editor. */
  readonly content: Omit<Content, "body">;
  /** Rises when something other than the editor replaced the body: the editor then loads `body()`. */
  readonly bodyEpoch: number;
  readonly save: SaveState;
  /** Whether edits that have not reached the server are stored in this browser and survive a closed tab. */
  readonly keptHere: boolean;
}

interface ActionOptions {
  /** The answer holds neither the body nor the live copy, so the post is read again. */
  readonly readAgain?: boolean;
  /** For an action that makes saving possible again, such as restoring from the trash. */
  readonly evenUnsaved?: boolean;
}

export interface Autosave {
  snapshot(): AutosaveSnapshot;
  subscribe(listener: () => void): () => void;
  change(patch: Omit<Patch, "body">): void;
  changeBody(read: () => string): void;
  /** Reads the body from its editor for the last time: the editor is about to be removed. */
  readBodyNow(): void;
  /** The body with all edits. */
  body(): string;
  /** Saves right away. */
  flush(): Promise<void>;
  /** Saves right away, as a revision of its own. */
  save(): Promise<void>;
  /** Saves the edits, then runs an action on the post (publish, rename, …). Actions and saves run one after the other. */
  runAction(run: (expectedVersion: number) => Promise<SavedPost>, options?: ActionOptions): Promise<SavedPost>;
  /** Reads the post again, because someone may have changed it elsewhere. */
  refresh(): Promise<void>;
  /** Saves again after a failure, because the server may be reachable by now. */
  retry(): void;
  /** Applies the unsent changes of a tab that was closed. */
  restore(unsent: Unsent): "nothing" | "restored" | "conflict";
  /** Ends a conflict: saves mine on top of theirs, which stays in the history. */
  keepMine(): Promise<void>;
  /** Ends a conflict: theirs becomes the working copy, after mine was saved into the history. */
  takeTheirs(): Promise<void>;
  /** Stores and sends the edits while the browser hides or closes the page. */
  saveOnPageHide(): void;
  /** Stops saving; resolves when the server has answered the last save. */
  close(): Promise<void>;
}
