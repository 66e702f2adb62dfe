import { postJson } from "../api/request.ts";
import { forgetUnsentOf, type UnsentText, unsentOf } from "../autosave/list-unsent.ts";
import { toast } from "../ui/toast.tsx";

/** Somebody who wants to leave while something they typed is only in this browser. */
export interface Leaving {
  readonly userId: string;
  /** Where the browser goes afterwards. */
  readonly next: string;
  readonly unsent: readonly UnsentText[];
}

let leaving: Leaving | null = null;
const listeners = new Set<() => void>();

function setLeaving(value: Leaving | null): void {
  leaving = value;
  for (const listener of listeners) listener();
}

/** What the dialog asks about (`sign-out-dialog.tsx`). */
export const leavingStore = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  get: (): Leaving | null => leaving,
  stay: (): void => setLeaving(null),
};

/**
 * Signs out. What a person typed and the server does not have waits in this browser, and whoever signs out expects to leave
 * nothing here: so they are asked first.
 */
export async function signOut(userId: string, next = "/sign-in"): Promise<void> {
  const unsent = await unsentAfterAWhile(userId);
  if (unsent.length > 0) setLeaving({ userId, next, unsent });
  else await leave(userId, next);
}

/** Signs out, and takes along what this person typed here. */
export async function leave(userId: string, next: string): Promise<void> {
  try {
    await postJson("/api/auth/sign-out", {});
    forgetUnsentOf(localStorage, userId);
    // A fresh page: nothing of this person is left in memory.
    window.location.assign(next);
  } catch (error) {
    toast.error(error);
  }
}

const LOOK_AGAIN_MILLIS = 100;
const LOOKS = 20;

/** A post that was left a moment ago may still be on its way: two seconds are given to it. */
async function unsentAfterAWhile(userId: string): Promise<readonly UnsentText[]> {
  for (let looks = 1; looks < LOOKS && unsentOf(localStorage, userId).length > 0; looks += 1) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MILLIS));
  }
  return unsentOf(localStorage, userId);
}
