import type { Suggestion } from "../../api/answers.ts";
import { acceptLabel } from "../../lib/suggestion-words.ts";
import { Button } from "../../ui/button.tsx";
import type { SuggestionRights } from "./suggestion-rights.ts";
import type { Decide } from "./use-decide.ts";

export interface DecidingProps {
  readonly suggestion: Suggestion;
  readonly rights: SuggestionRights;
  readonly decide: Decide;
}

/** Reject and accept, as far as the person's role allows; `onDone` follows an answer, `onConflict` a refused one. */
export function DecisionButtons({
  suggestion,
  rights,
  decide,
  size = "md",
  onDone,
  onConflict,
}: DecidingProps & { size?: "sm" | "md"; onDone?: () => void; onConflict: () => void }) {
  if (!rights.decide) return null;
  const busy = decide.busyOn(suggestion);
  const hasContent = suggestion.fields.length > 0;
  const accept = async (onlyContent: boolean) => {
    const result = await decide.accept(suggestion, { onlyContent });
    if (result === "conflict") onConflict();
    if (result === "done") onDone?.();
  };
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
          onClick={() => void accept(false)}
        >
          {acceptLabel(suggestion)}
        </Button>
      )}
    </>
  );
}
