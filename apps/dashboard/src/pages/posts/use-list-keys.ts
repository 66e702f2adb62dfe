import { type RefObject, useEffect, useEffectEvent } from "react";
import { isTyping } from "../../lib/is-typing.ts";

const MOVES: Readonly<Record<string, 1 | -1>> = { j: 1, k: -1, ArrowDown: 1, ArrowUp: -1 };

/** j and k walk through the list, x ticks a post, n begins one. The focus is the place: Enter opens, as on any link. */
export function useListKeys(
  list: RefObject<HTMLElement | null>,
  { onToggle, onNew }: { onToggle: (postId: string, extend: boolean) => void; onNew: () => void },
): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey || isTyping(event)) return;
    const rows = [...(list.current?.querySelectorAll<HTMLElement>("[data-post]") ?? [])];
    const here = rows.findIndex((row) => row.contains(document.activeElement));
    const move = MOVES[event.key];
    // The arrows scroll the page until somebody is in the list.
    if (move && (here !== -1 || event.key.length === 1)) {
      const next = rows[Math.max(0, Math.min(rows.length - 1, here + move))];
      next?.querySelector<HTMLElement>("[data-open]")?.focus();
    } else if (event.key.toLowerCase() === "x" && here !== -1) {
      onToggle(rows[here]!.dataset["post"]!, event.shiftKey);
    } else if (event.key === "n") {
      onNew();
    } else {
      return;
    }
    event.preventDefault();
  });
  useEffect(() => {
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
}
