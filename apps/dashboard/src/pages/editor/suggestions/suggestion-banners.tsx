import { useState } from "react";
import type { Suggestion } from "../../../api/answers.ts";
import { useOp } from "../../../api/hooks.ts";
import { suggestionWords } from "../../../lib/suggestion-words.ts";
import { DecisionButtons } from "../../../shell/suggestions/suggestion-buttons.tsx";
import { SuggestionDialog } from "../../../shell/suggestions/suggestion-dialog.tsx";
import { suggestionRights } from "../../../shell/suggestions/suggestion-rights.ts";
import { type Decide, useDecide } from "../../../shell/suggestions/use-decide.ts";
import { useActorNames } from "../../../shell/use-actor-names.ts";
import { Button } from "../../../ui/button.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import { useEditorPage } from "../editor-context.tsx";

/** What connected apps suggest for this post: nothing of it is in the text until somebody accepts it. */
export function SuggestionBanners() {
  const { at, autosave, context } = useEditorPage();
  const open = useOp("list_suggestions", { websiteId: at.websiteId, targetId: at.postId }, { enabled: context.may("suggestion.decide") });
  const suggestions = open.data?.items ?? [];
  const nameOf = useActorNames(suggestions.map(({ by }) => by));
  const decide = useDecide((accept) =>
    // Unsent edits are saved first, so that the suggestion is merged with them; the merged text is loaded afterwards.
    autosave.runAction(
      async () => {
        await accept();
        return autosave.snapshot().post;
      },
      { readAgain: true, evenUnsaved: autosave.snapshot().post.status === "deleted" },
    ),
  );
  return suggestions.map((suggestion) => (
    <SuggestionBanner key={suggestion.id} suggestion={suggestion} name={nameOf(suggestion.by)} decide={decide} />
  ));
}

function SuggestionBanner({ suggestion, name, decide }: { suggestion: Suggestion; name: string; decide: Decide }) {
  const { post, context } = useEditorPage();
  const [isOpen, setOpen] = useState(false);
  const rights = suggestionRights(context, suggestion, post);
  const view = () => setOpen(true);
  return (
    <Notice
      tone="info"
      title={`${name} ${suggestionWords(suggestion)}`}
      action={
        // Below the words and in line with them: up to four buttons beside them would leave them no room.
        <span className="flex basis-full flex-wrap gap-2 pl-7">
          <Button size="sm" onClick={view}>
            View
          </Button>
          <DecisionButtons suggestion={suggestion} rights={rights} decide={decide} size="sm" onView={view} />
        </span>
      }
    >
      Suggested <TimeAgo at={suggestion.changedAt} />. Readers see no change until someone accepts it.
      {isOpen && <SuggestionDialog suggestion={suggestion} rights={rights} decide={decide} onClose={() => setOpen(false)} />}
    </Notice>
  );
}
