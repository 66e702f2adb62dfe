import type { Suggestion } from "../../api/answers.ts";
import { acceptLabel, isFinal } from "../../lib/suggestion-words.ts";
import { Button } from "../../ui/button.tsx";
import type { SuggestionRights } from "./suggestion-rights.ts";
import type { Decide } from "./use-decide.ts";

export interface DecidingProps {
  readonly suggestion: Suggestion;
  readonly rights: SuggestionRights;
  readonly decide: Decide;
}

/**
 * Reject and accept, as far as the person's role allows. `onDone` follows an answer. `onView` opens the comparison, where a person has to
 * see it first: others changed the same part since, or accepting it is final. `isViewed`: it is open.
 */
export function DecisionButtons({
  suggestion,
  rights,
  decide,
  size = "md",
  isViewed = false,
  onDone,
  onView,
}: DecidingProps & { size?: "sm" | "md"; isViewed?: boolean; onDone?: () => void; onView: () => void }) {
  if (!rights.decide) return null;
  const busy = decide.busyOn(suggestion);
  const hasContent = suggestion.fields.length > 0;
  const accept = async (onlyContent: boolean) => {
    const result = await decide.accept(suggestion, { onlyContent });
    if (result === "conflict") onView();
    if (result === "done") onDone?.();
  };
  const asksFirst = isFinal(suggestion) && !isViewed;
  const isDeletion = suggestion.action?.type === "delete";
  return (
    <>
      <Button
        size={size}
        busy={busy === "reject"}
        disabled={busy !== null}
        onClick={() => void decide.reject(suggestion).then((done) => done && onDone?.())}
      >
        Reject
      </Button>
      {suggestion.action && hasContent && (
        <Button
          size={size}
          variant={rights.act ? "outline" : "primary"}
          busy={busy === "content"}
          disabled={busy !== null}
          onClick={() => void accept(true)}
        >
          Accept {suggestion.target === "post" ? "text" : "changes"} only
        </Button>
      )}
      {rights.act && (
        <Button
          size={size}
          variant={isDeletion ? "danger" : "primary"}
          busy={busy === "accept"}
          disabled={busy !== null}
          onClick={asksFirst ? onView : () => void accept(false)}
        >
          {acceptLabel(suggestion)}
          {asksFirst && " …"}
        </Button>
      )}
    </>
  );
}
