import { wordDiff } from "@stet/markdown";
import type { Content, ContentKey } from "../../../autosave/content.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { DiffSections } from "../../../ui/diff-sections.tsx";
import { useEditorPage } from "../editor-context.tsx";
import type { PostActions } from "../use-post-actions.ts";

const TEXTS = ["title", "excerpt", "body"] as const;

/** Compares the live version with the suggestion, word by word. */
export function HeldChangeDialog({ actions, mayDecide, onClose }: { actions: PostActions; mayDecide: boolean; onClose: () => void }) {
  const { post } = useEditorPage();
  const live = post.live?.content;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      width="lg"
      title="Suggested change"
      description="Compares the live version with the suggestion. Rejecting restores the live version; the suggestion stays in the history."
      footer={
        mayDecide && (
          <>
            <Button busy={actions.busy === "discard"} onClick={actions.discard}>
              Reject
            </Button>
            <Button variant="primary" busy={actions.busy === "update"} onClick={actions.accept}>
              Accept and publish
            </Button>
          </>
        )
      }
    >
      {live && <DiffSections diff={diffOf(live, post.working)} />}
    </Dialog>
  );
}

function diffOf(before: Content, after: Content): Parameters<typeof DiffSections>[0]["diff"] {
  const text = (key: (typeof TEXTS)[number]) => (before[key] === after[key] ? [] : [...wordDiff(before[key], after[key])]);
  const others = (Object.keys(after) as ContentKey[]).filter((key) => !(TEXTS as readonly string[]).includes(key));
  return {
    title: text("title"),
    excerpt: text("excerpt"),
    body: text("body"),
    fields: others
      .filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]))
      .map((field) => ({ field, before: before[field], after: after[field] })),
  };
}
