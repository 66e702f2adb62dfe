import { type RefObject, useEffect, useRef } from "react";

interface Aim {
  readonly postIds: ReadonlySet<string>;
  /** The list as it was: the neighbours of a post are known when it is gone. */
  readonly order: readonly string[];
  /** After an action from the menu of a row, the focus goes to the menu of the next row. */
  readonly control: "[data-menu]" | "[data-open]";
}

/**
 * Keeps the focus in the list when what had it goes: a row that is trashed, a button of the bar, Undo in a message. It follows the
 * posts that something is done to; where they are not shown it goes to the next one, or to the heading that says that there is none.
 * A person who has moved the focus elsewhere meanwhile keeps it there.
 */
export function useFocusOnPosts(frame: RefObject<HTMLElement | null>): (postIds: readonly string[]) => void {
  const aim = useRef<Aim | null>(null);
  /** The element that had the focus at the start or got it here: only from there may the focus be moved again. */
  const reached = useRef<HTMLElement | null>(null);
  useEffect(() => {
    const leave = ({ target }: Event) => {
      const row = target instanceof Element ? target.closest<HTMLElement>("[data-post]") : null;
      const isThere = row !== null && aim.current?.postIds.has(row.dataset["post"] ?? "");
      if (!isThere && target !== reached.current) aim.current = null;
    };
    const events = ["focusin", "pointerdown"] as const;
    for (const event of events) document.addEventListener(event, leave);
    return () => events.forEach((event) => document.removeEventListener(event, leave));
  }, []);
  // After every change of the page: each of them may be the one that takes the focus away, or brings a post back.
  useEffect(() => {
    const { activeElement } = document;
    const isLost = activeElement === document.body;
    if (!aim.current || !frame.current || (!isLost && activeElement !== reached.current)) return;
    const target = targetIn(frame.current, aim.current, isLost);
    if (!target || target === activeElement) return;
    reached.current = target;
    target.focus();
  });
  return (postIds) => {
    const { activeElement } = document;
    const inMenu = activeElement?.closest("[role=menu]") != null;
    const control = inMenu ? "[data-menu]" : "[data-open]";
    // A menu gives the focus back by itself when it closes.
    reached.current = activeElement instanceof HTMLElement && !inMenu ? activeElement : null;
    aim.current = { postIds: new Set(postIds), order: frame.current ? [...rowsIn(frame.current).keys()] : [], control };
  };
}

const rowsIn = (frame: HTMLElement): ReadonlyMap<string, HTMLElement> =>
  new Map([...frame.querySelectorAll<HTMLElement>("[data-post]")].map((row) => [row.dataset["post"] ?? "", row]));

/** One of the posts themselves; `orNear`: else the nearest, or the heading. */
function targetIn(frame: HTMLElement, { postIds, order, control }: Aim, orNear: boolean): HTMLElement | null {
  const rows = rowsIn(frame);
  const at = Math.max(
    0,
    order.findIndex((id) => postIds.has(id)),
  );
  const shown = [...rows.keys()];
  const near = orNear ? [...order.slice(at), ...order.slice(0, at).toReversed(), ...shown] : [];
  const chosen = [...shown.filter((id) => postIds.has(id)), ...near].find((id) => rows.has(id));
  const row = chosen === undefined ? null : rows.get(chosen);
  if (row) return row.querySelector<HTMLElement>(control);
  if (!orNear) return null;
  const heading = frame.querySelector<HTMLElement>("h2");
  if (heading) heading.tabIndex = -1;
  return heading;
}
