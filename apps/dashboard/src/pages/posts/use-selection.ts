import { useRef, useState } from "react";
import type { ListedPost } from "../../api/answers.ts";

interface Ticked {
  readonly ids: ReadonlySet<string>;
  /** Posts of the view that are not shown: every post of it was chosen at once. */
  readonly beyond: readonly ListedPost[];
}

const NOTHING: Ticked = { ids: new Set(), beyond: [] };

/**
 * Which posts are ticked. With Shift, everything between the last one and this one follows it. What is ticked in one view
 * (`view` names it) is not ticked in the next.
 */
export function useSelection(posts: readonly ListedPost[], view: string) {
  const [kept, setKept] = useState({ view, ticked: NOTHING });
  const { ids, beyond } = kept.view === view ? kept.ticked : NOTHING;
  const tick = (ticked: Ticked) => setKept({ view, ticked });
  const anchor = useRef<string | null>(null);
  const shown = new Set(posts.map(({ id }) => id));
  return {
    chosen: [...posts, ...beyond.filter(({ id }) => !shown.has(id))].filter(({ id }) => ids.has(id)),
    has: (id: string) => ids.has(id),
    isAllShown: posts.length > 0 && posts.every(({ id }) => ids.has(id)),
    isBeyondShown: beyond.length > 0,
    toggle(id: string, extend = false) {
      const order = [...shown];
      const [from, to] = [order.indexOf(anchor.current ?? ""), order.indexOf(id)];
      const range = extend && from !== -1 ? order.slice(Math.min(from, to), Math.max(from, to) + 1) : [id];
      const next = new Set(ids);
      for (const each of range) {
        if (ids.has(id)) next.delete(each);
        else next.add(each);
      }
      anchor.current = id;
      tick({ ids: next, beyond });
    },
    allShown: () => tick({ ids: shown, beyond: [] }),
    /** Every post of the view, as it was found; unless others are ticked in another view by then. */
    every: (found: readonly ListedPost[]) =>
      setKept((now) => (now.view === view ? { view, ticked: { ids: new Set(found.map(({ id }) => id)), beyond: found } } : now)),
    clear: () => tick(NOTHING),
    /** Posts that were ticked since, or are in another view by now, stay ticked. */
    drop: (done: readonly ListedPost[]) =>
      setKept((now) => {
        if (now.view !== view) return now;
        const gone = new Set(done.map(({ id }) => id));
        const next = new Set([...now.ticked.ids].filter((id) => !gone.has(id)));
        return { view, ticked: next.size === 0 ? NOTHING : { ...now.ticked, ids: next } };
      }),
  };
}
export type Selection = ReturnType<typeof useSelection>;
