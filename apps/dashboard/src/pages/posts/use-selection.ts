import { useRef, useState } from "react";
import type { ListedPost } from "./use-post-list.ts";

const NONE: ReadonlySet<string> = new Set();

/**
 * Which posts are ticked. With Shift, everything between the last one and this one follows it. What is ticked in one view
 * (`view` names it) is not ticked in the next.
 */
export function useSelection(posts: readonly ListedPost[], view: string) {
  const [ticked, setTicked] = useState({ view, ids: NONE });
  const ids = ticked.view === view ? ticked.ids : NONE;
  const setIds = (next: ReadonlySet<string>) => setTicked({ view, ids: next });
  const anchor = useRef<string | null>(null);
  const chosen = posts.filter(({ id }) => ids.has(id));
  return {
    chosen,
    has: (id: string) => ids.has(id),
    isAll: posts.length > 0 && chosen.length === posts.length,
    toggle(id: string, extend = false) {
      const order = posts.map((post) => post.id);
      const [from, to] = [order.indexOf(anchor.current ?? ""), order.indexOf(id)];
      const range = extend && from !== -1 ? order.slice(Math.min(from, to), Math.max(from, to) + 1) : [id];
      const on = !ids.has(id);
      const next = new Set(ids);
      for (const each of range) {
        if (on) next.add(each);
        else next.delete(each);
      }
      anchor.current = id;
      setIds(next);
    },
    all: () => setIds(new Set(posts.map(({ id }) => id))),
    clear: () => setIds(NONE),
  };
}
export type Selection = ReturnType<typeof useSelection>;
