import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Suggestion } from "../../api/answers.ts";
import { rpc } from "../../api/rpc.ts";
import type { OperationName } from "../../api/wire.ts";
import { isProblem } from "../../lib/problem.ts";
import { acceptedWords } from "../../lib/suggestion-words.ts";
import { toast } from "../../ui/toast.tsx";
import { useWebsiteContext } from "../website-context.ts";

/** Answers beside the list that show something of a suggestion or its target. */
const STALE: readonly OperationName[] = [
  "count_suggestions",
  "get_suggestion",
  "list_posts",
  "count_posts",
  "list_calendar",
  "get_home",
  "list_revisions",
  "check_post",
  "list_terms",
  "get_term",
  "list_media",
  "get_media",
];

export type Decision = "accept" | "content" | "reject" | "reopen";
export interface AcceptOptions {
  /** Takes the suggested version where people changed the same part since. */
  readonly conflicts?: "refuse" | "suggested";
  /** Leaves out the step that it asks for. */
  readonly onlyContent?: boolean;
}

/**
 * Accepting and rejecting, with what came of it as a message. `apply` runs what changes the target; an editor that has it open saves first
 * and loads it afterwards.
 */
export function useDecide(apply: (work: () => Promise<unknown>) => Promise<unknown> = (work) => work()) {
  const { website } = useWebsiteContext();
  const client = useQueryClient();
  const [busy, setBusy] = useState<{ readonly id: string; readonly decision: Decision } | null>(null);
  const websiteId = website.id;
  /** Waits for the list alone: the buttons take no second click before what was decided is off it. */
  async function refresh(): Promise<void> {
    for (const name of STALE) void client.invalidateQueries({ queryKey: [name] });
    await client.invalidateQueries({ queryKey: ["list_suggestions"] });
  }

  async function run(id: string, decision: Decision, work: () => Promise<unknown>): Promise<void> {
    setBusy({ id, decision });
    try {
      await work();
    } finally {
      await refresh();
      setBusy(null);
    }
  }

  return {
    busyOn: (suggestion: Suggestion): Decision | null => (busy?.id === suggestion.id ? busy.decision : null),
    /** "conflict": people changed the same part since, or the app its suggestion, and nothing was done. */
    async accept(suggestion: Suggestion, options: AcceptOptions = {}): Promise<"done" | "conflict" | "failed"> {
      const { onlyContent = false } = options;
      try {
        await run(suggestion.id, onlyContent ? "content" : "accept", () =>
          apply(() =>
            rpc("accept_suggestion", { websiteId, suggestionId: suggestion.id, expectedVersion: suggestion.version, ...options }),
          ),
        );
      } catch (error) {
        if (isProblem(error, "VERSION_CONFLICT") && options.conflicts !== "suggested") {
          // The comparison shows the parts that people changed; what else changed has to be said.
          if (!error.facts.conflicts) toast.error(error);
          return "conflict";
        }
        toast.error(error);
        return "failed";
      }
      toast.ok(acceptedWords(onlyContent ? { ...suggestion, action: null } : suggestion));
      return "done";
    },
    async reject({ id }: Suggestion): Promise<boolean> {
      const input = { websiteId, suggestionId: id };
      try {
        await run(id, "reject", () => rpc("reject_suggestion", input));
      } catch (error) {
        toast.error(error);
        return false;
      }
      const undo = () => rpc("reopen_suggestion", input).finally(refresh);
      toast.ok("Suggestion rejected.", { label: "Undo", run: () => void undo().then(() => toast.ok("Undone."), toast.error) });
      return true;
    },
    async reopen({ id }: Suggestion): Promise<void> {
      try {
        await run(id, "reopen", () => rpc("reopen_suggestion", { websiteId, suggestionId: id }));
        toast.ok("Suggestion reopened.");
      } catch (error) {
        toast.error(error);
      }
    },
  };
}

export type Decide = ReturnType<typeof useDecide>;
