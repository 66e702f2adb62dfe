import { CircleAlert, CircleCheck, X } from "lucide-react";
import { useSyncExternalStore } from "react";
import { flushSync } from "react-dom";
import { restoreFocus } from "../lib/focus-history.ts";
import { messageOf } from "../lib/problem.ts";

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly tone: "ok" | "danger";
  readonly action?: { readonly label: string; readonly run: () => void };
}

/** Long enough to read it and to reach for Undo. */
const MILLIS = 6_000;
const MILLIS_WITH_ACTION = 10_000;
/** How long a toast stays after the pointer or the focus has left it. */
const MILLIS_AFTERWARDS = 2_000;

let toasts: readonly Toast[] = [];
let last = 0;
const listeners = new Set<() => void>();

function set(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

const dismiss = (id: number): void => set(toasts.filter((toast) => toast.id !== id));

/** A toast takes its buttons with it when it closes: the focus of a person who pressed one goes back to where it was. */
function leave(id: number): void {
  flushSync(() => dismiss(id));
  restoreFocus();
}

function show(text: string, tone: Toast["tone"], action?: Toast["action"]): void {
  const toast: Toast = { id: ++last, text, tone, ...(action && { action }) };
  set([...toasts.slice(-2), toast]);
  leaveAfter(toast.id, action ? MILLIS_WITH_ACTION : MILLIS);
}

let messages: HTMLElement | null = null;
/** The pointer is over a message, or the keyboard is in one: none goes away under somebody's hands. */
const isAttended = (): boolean => messages !== null && (messages.matches(":hover") || messages.contains(document.activeElement));

function leaveAfter(id: number, millis: number): void {
  setTimeout(() => (isAttended() ? leaveAfter(id, MILLIS_AFTERWARDS) : dismiss(id)), millis);
}

/** Says what came of it. `action` is mostly Undo. */
export const toast = {
  ok: (text: string, action?: Toast["action"]) => show(text, "ok", action),
  error: (error: unknown) => show(typeof error === "string" ? error : messageOf(error), "danger"),
};

/** Above a bar at the bottom of the page, whose buttons they would cover. */
export function Toaster() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => toasts,
  );
  return (
    <section
      ref={(element) => void (messages = element)}
      aria-label="Messages"
      aria-live="polite"
      className="pointer-events-none fixed inset-x-3 bottom-3 z-70 flex flex-col items-center gap-2 sm:items-end [body:has([data-bar])_&]:bottom-20"
    >
      {shown.map((each) => (
        <div
          key={each.id}
          role={each.tone === "danger" ? "alert" : "status"}
          className="appear pointer-events-auto flex w-full max-w-sm items-start gap-3 rounded-card border border-line bg-raised px-4 py-3 text-sm shadow-raised"
        >
          {each.tone === "ok" ? (
            <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-ok" />
          ) : (
            <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-danger" />
          )}
          <p className="min-w-0 flex-1 break-words">{each.text}</p>
          {each.action && (
            <button
              type="button"
              className="font-medium text-accent hover:underline"
              onClick={() => {
                leave(each.id);
                each.action?.run();
              }}
            >
              {each.action.label}
            </button>
          )}
          <button type="button" aria-label="Dismiss" className="text-muted hover:text-text" onClick={() => leave(each.id)}>
            <X aria-hidden className="size-4" />
          </button>
        </div>
      ))}
    </section>
  );
}
