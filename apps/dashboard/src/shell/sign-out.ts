import { postJson } from "../api/request.ts";
import { deleteUnsent, type UnsentChanges, listUnsent } from "../autosave/list-unsent.ts";
import { toast } from "../ui/toast.tsx";

/** A sign-out that waits for an answer, because unsent changes of the person are only in this browser. */
export interface PendingSignOut {
  readonly userId: string;
  /** The page that opens afterwards. */
  readonly next: string;
  readonly unsent: readonly UnsentChanges[];
}

let pending: PendingSignOut | null = null;
const listeners = new Set<() => void>();

function setPending(value: PendingSignOut | null): void {
  pending = value;
  for (const listener of listeners) listener();
}

/** The pending sign-out, for the dialog that asks about it (`sign-out-dialog.tsx`). */
export const pendingSignOut = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  get: (): PendingSignOut | null => pending,
  cancel: (): void => setPending(null),
};

/**
 * Signs out. Unsent changes are only in this browser, and a person who signs out expects to leave nothing here, so the person is
 * asked first.
 */
export async function signOut(userId: string, next = "/sign-in"): Promise<void> {
  const unsent = await unsentAfterWaiting(userId);
  if (unsent.length > 0) setPending({ userId, next, unsent });
  else await signOutNow(userId, next);
}

/** Signs out without a question, and deletes the unsent changes of this person. */
export async function signOutNow(userId: string, next: string): Promise<void> {
  try {
    await postJson("/api/auth/sign-out", {});
    deleteUnsent(localStorage, userId);
    // A fresh page: nothing of this person is left in memory.
    window.location.assign(next);
  } catch (error) {
    toast.error(error);
  }
}

const LOOK_AGAIN_MILLIS = 100;
const LOOKS = 20;

/** The last save of a post that was closed a moment ago may still be running: this waits two seconds for it. */
async function unsentAfterWaiting(userId: string): Promise<readonly UnsentChanges[]> {
  for (let looks = 1; looks < LOOKS && listUnsent(localStorage, userId).length > 0; looks += 1) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MILLIS));
  }
  return listUnsent(localStorage, userId);
}
