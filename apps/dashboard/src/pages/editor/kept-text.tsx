import { Download } from "lucide-react";
import { useState } from "react";
import { deleteUnsent, listUnsent, unsentAsText } from "../../autosave/list-unsent.ts";
import { saveFile } from "../../lib/save-file.ts";
import { useWebsiteContext } from "../../shell/website-context.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Notice } from "../../ui/notice.tsx";

/** Hands out text that was typed in a post which cannot be opened any more. Only this browser has it. */
export function KeptText({ postId }: { postId: string }) {
  const userId = useWebsiteContext().session.user.id;
  const [unsent, setUnsent] = useState(() => listUnsent(localStorage, userId).filter((each) => each.postId === postId));
  const [isAsking, setAsking] = useState(false);
  if (unsent.length === 0) return null;
  return (
    <Notice
      tone="warn"
      title="Text that you typed here was not saved"
      action={
        <span className="flex flex-wrap gap-2">
          <Button size="sm" onClick={() => saveFile("stet-not-saved.md", unsentAsText(unsent), "text/markdown")}>
            <Download aria-hidden />
            Save as a file
          </Button>
          <Button size="sm" variant="ghost" onClick={() => setAsking(true)}>
            Discard …
          </Button>
        </span>
      }
    >
      It is kept in this browser only.
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title="Discard the text?"
        action="Discard"
        onConfirm={async () => {
          deleteUnsent(localStorage, userId, postId);
          setUnsent([]);
        }}
      >
        It is kept in this browser only. This cannot be undone.
      </ConfirmDialog>
    </Notice>
  );
}
