import type { TermKind } from "@stet/contract";
import { useState } from "react";
import { useOp } from "../../api/hooks.ts";
import { usePlace } from "../../shell/place.tsx";
import { useDebounced } from "../../lib/use-debounced.ts";

/**
 * The terms whose names contain what is typed, as the server knows them. While its answer is on the way, of those shown only what is sure
 * to be in it: Enter must choose what was typed, however fast.
 */
export function useTermSearch(kind: TermKind, { limit, enabled = true }: { limit: number; enabled?: boolean }) {
  const { website } = usePlace();
  const [text, setText] = useState("");
  const name = text.trim();
  const nameContains = useDebounced(name);
  const terms = useOp(
    "list_terms",
    { websiteId: website.id, kind, limit, ...(nameContains && { nameContains }) },
    { enabled, keepPrevious: true },
  );
  const isAnswered = terms.data !== undefined && !terms.isPlaceholderData && name === nameContains;
  const isSure = (found: string): boolean => isAnswered || found.toLocaleLowerCase().includes(name.toLocaleLowerCase());
  const found = terms.data?.items.filter((term) => term.mergedInto === null && isSure(term.name)) ?? [];
  return { text, setText, name, found, isAnswered, isFailed: terms.isError };
}
