import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { type Conflict, isStuck } from "../../autosave/save-state.ts";
import type { BodyEditorHandle, OutlineHeading } from "../../editor/body-editor-props.ts";
import { cn } from "../../lib/cn.ts";
import { mayOnPost } from "../../shell/may-on-post.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { LeaveGuard } from "../../ui/leave-guard.tsx";
import { toast } from "../../ui/toast.tsx";
import { Banners } from "./banners.tsx";
import { BodyField } from "./body/body-field.tsx";
import { TitleField } from "./body/title-field.tsx";
import { ConflictView } from "./conflict/conflict-view.tsx";
import { TheirVersion } from "./conflict/their-version.tsx";
import { useEditorPage } from "./editor-context.tsx";
import { Header } from "./header/header.tsx";
import { Panel } from "./panel/panel.tsx";
import { usePanel } from "./panel/use-panel.ts";
import { PublishDialog } from "./publish/publish-dialog.tsx";
import { ReviewDialog } from "./publish/review-dialog.tsx";
import { ShortcutsDialog } from "./shortcuts-dialog.tsx";
import { useShortcuts } from "./shortcuts.ts";
import { useGoTo } from "./use-go-to.ts";
import { usePostActions } from "./use-post-actions.ts";

/** The layout of the page: the text in the middle, header and panel around it. */
export function EditorScreen() {
  const { post, autosave, context, save, readOnly, content, keptHere } = useEditorPage();
  const client = useQueryClient();
  const actions = usePostActions();
  const body = useRef<BodyEditorHandle>(null);
  const panel = usePanel();
  const goTo = useGoTo(body, panel);
  const [dialog, setDialog] = useState<"publish" | "schedule" | "help" | "delete" | "discard" | null>(null);
  const [isFocused, setFocused] = useState(false);
  const [words, setWords] = useState<number | null>(null);
  const [outline, setOutline] = useState<readonly OutlineHeading[]>([]);
  const [theirs, setTheirs] = useState<string | null>(null);
  // A conflict whose comparison was closed to look at the page first.
  const [seenConflict, setSeenConflict] = useState<Conflict | null>(null);
  const mayPublish = mayOnPost(context, "post.publish", post);
  const close = (open: boolean) => !open && setDialog(null);
  const openPublish = (as: "publish" | "schedule" = "publish") => {
    if (post.status === "deleted" || (!mayPublish && !mayOnPost(context, "post.review", post))) return;
    void autosave.flush();
    setDialog(as);
  };
  useShortcuts({
    save: () => void autosave.save(),
    publish: () => openPublish(),
    toggleFocus: () => setFocused(!isFocused),
    leaveFocus: () => setFocused(false),
    togglePanel: panel.toggle,
    help: () => setDialog("help"),
  });
  // Every save is in the history, in an entry of its own or folded into the newest.
  useEffect(() => {
    void client.invalidateQueries({ queryKey: ["list_revisions"] });
  }, [client, post.version]);
  useEffect(() => {
    if (autosave.recovery === "restored") toast.ok("Restored unsaved changes from this browser.");
  }, [autosave]);

  return (
    <div className={cn("min-h-dvh", !isFocused && panel.isOpen && "lg:pr-[23rem]")}>
      {!isFocused && (
        <Header
          words={words}
          actions={actions}
          isPanelOpen={panel.isOpen}
          onPanel={panel.toggle}
          onFocus={() => setFocused(true)}
          onHelp={() => setDialog("help")}
          onPublish={openPublish}
          onDelete={() => setDialog("delete")}
        />
      )}
      <main
        className={cn(
          "flex flex-col gap-4 pt-6 pb-[30vh] sm:pt-10",
          // What wide images can take of the page.
          theirs === null && "@container",
          isFocused && "pt-[12vh]! [&_.body-editor-views]:hidden!",
        )}
      >
        <h1 className="sr-only">Write: {content.title || "Untitled"}</h1>
        {!isFocused && <Banners actions={actions} onCompare={() => setSeenConflict(null)} />}
        <div className={cn("mx-auto grid w-full gap-8 px-4 sm:px-6", theirs === null ? "max-w-[46rem]" : "max-w-6xl xl:grid-cols-2")}>
          <div className={cn("flex min-w-0 flex-col gap-5", theirs !== null && "@container")}>
            <TitleField autoFocus={content.title === "" && readOnly === null} onEnter={() => body.current?.focus()} />
            <BodyField ref={body} onOutline={setOutline} onWordCount={setWords} />
          </div>
          {theirs !== null && <TheirVersion text={theirs} onClose={() => setTheirs(null)} />}
        </div>
      </main>
      {isFocused ? (
        <Button variant="ghost" size="sm" className="fixed right-3 bottom-3 text-muted" onClick={() => setFocused(false)}>
          Leave focus mode
        </Button>
      ) : (
        <Panel panel={panel} outline={outline} onHeading={(value) => body.current?.goTo({ kind: "heading", value })} onFinding={goTo} />
      )}
      {save.phase === "conflict" && seenConflict !== save.conflict && (
        <ConflictView conflict={save.conflict} onMerge={setTheirs} onClose={() => setSeenConflict(save.conflict)} />
      )}
      {mayPublish ? (
        <PublishDialog
          open={dialog === "publish" || dialog === "schedule"}
          later={dialog === "schedule"}
          onOpenChange={close}
          onFinding={goTo}
          onDiscard={() => setDialog("discard")}
          actions={actions}
        />
      ) : (
        <ReviewDialog open={dialog === "publish"} onOpenChange={close} actions={actions} />
      )}
      <LeaveGuard when={isStuck(save) && !keptHere}>
        The latest changes did not reach the server, and this browser could not store them. They are lost if you leave.
      </LeaveGuard>
      <ShortcutsDialog open={dialog === "help"} onOpenChange={close} />
      <ConfirmDialog
        open={dialog === "delete"}
        onOpenChange={close}
        title="Move this post to the trash?"
        action="Move to trash"
        onConfirm={actions.delete}
      >
        {post.status === "published" ? "Readers will no longer see it. " : ""}It can be restored for 30 days.
      </ConfirmDialog>
      <ConfirmDialog
        open={dialog === "discard"}
        onOpenChange={close}
        title="Discard the unpublished changes?"
        action="Discard changes"
        onConfirm={actions.discard}
      >
        The text becomes the live version again. What you discard stays in the history, and can be restored from there.
      </ConfirmDialog>
    </div>
  );
}
