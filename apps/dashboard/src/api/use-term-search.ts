import type { TermKind } from "@stet/contract";
import { useState } from "react";
import { useDebounced } from "../lib/use-debounced.ts";
import { useOp } from "./hooks.ts";

/**
 * The terms whose names contain what is typed, as the server knows them. While its answer is on the way, of those shown only what is sure
 * to be in it: Enter must choose what was typed, however fast.
 */
export function useTermSearch(websiteId: string, kind: TermKind, { limit, enabled = true }: { limit: number; enabled?: boolean }) {
  const [text, setText] = useState("");
  const name = text.trim();
  const nameContains = useDebounced(name);
  const terms = useOp("list_terms", { websiteId, kind, limit, ...(nameContains && { nameContains }) }, { enabled, keepPrevious: true });
  const isAnswered = terms.data !== undefined && !terms.isPlaceholderData && name === nameContains;
  const isSure = (found: string): boolean => isAnswered || found.toLocaleLowerCase().includes(name.toLocaleLowerCase());
  const found = terms.data?.items.filter((term) => term.mergedInto === null && isSure(term.name)) ?? [];
  return { text, setText, name, found, isAnswered, isFailed: terms.isError };
}
