import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { rpc } from "../../../api/rpc.ts";
import type { Output } from "../../../api/wire.ts";
import { useWorkspaceContext } from "../../../shell/website-context.ts";
import type { UndoItem } from "./undo-words.ts";

type Next = Output<"undo_connection">["next"];

export type UndoState =
  | { readonly phase: "asking" }
  | { readonly phase: "looking"; readonly items: readonly UndoItem[] }
  | { readonly phase: "preview"; readonly items: readonly UndoItem[] }
  | { readonly phase: "running"; readonly items: readonly UndoItem[]; readonly total: number }
  | { readonly phase: "done"; readonly items: readonly UndoItem[] };

const BEGIN = { phase: "posts", cursor: null } as const;
const pageOf = ({ phase, cursor }: NonNullable<Next>) => ({ phase, ...(cursor !== null && { cursor }) });

/** Looks, then does, some posts at a time. What was promised by the preview is what is done: both speak of the same moment. */
export function useUndo(connectionId: string) {
  const { workspace } = useWorkspaceContext();
  const client = useQueryClient();
  const [state, setState] = useState<UndoState>({ phase: "asking" });
  const [error, setError] = useState<unknown>(null);
  const promised = useRef<{ since: string; until: string } | null>(null);
  /** The cursor from which an undo that stopped half way continues. */
  const next = useRef<Next>(null);
  const left = useRef(false);
  useEffect(() => {
    left.current = false;
    return () => void (left.current = true);
  }, []);
  const at = { workspaceId: workspace.id, connectionId };

  async function look(since: string): Promise<void> {
    setError(null);
    const items: UndoItem[] = [];
    setState({ phase: "looking", items });
    try {
      let until: string | undefined;
      for (let page: Next = BEGIN; page && !left.current;) {
        const found: Output<"preview_undo"> = await rpc("preview_undo", { ...at, since, ...(until && { until }), ...pageOf(page) });
        until = found.until;
        items.push(...found.items);
        setState({ phase: "looking", items: [...items] });
        page = found.next;
      }
      promised.current = until ? { since, until } : null;
      next.current = BEGIN;
      setState({ phase: "preview", items });
    } catch (failure) {
      setError(failure);
      setState({ phase: "asking" });
    }
  }

  async function run(): Promise<void> {
    const between = promised.current;
    if (!between || (state.phase !== "preview" && state.phase !== "running")) return;
    setError(null);
    const total = state.phase === "running" ? state.total : state.items.length;
    const items = state.phase === "running" ? [...state.items] : [];
    setState({ phase: "running", items, total });
    try {
      while (next.current && !left.current) {
        const step: Output<"undo_connection"> = await rpc("undo_connection", { ...at, ...between, ...pageOf(next.current) });
        next.current = step.next;
        items.push(...step.items);
        setState({ phase: "running", items: [...items], total });
      }
      setState({ phase: "done", items });
    } catch (failure) {
      setError(failure);
    } finally {
      // Posts, terms, images and the log: more is stale than is worth naming.
      await client.invalidateQueries();
    }
  }

  return { state, error, look, run, again: () => setState({ phase: "asking" }) };
}
