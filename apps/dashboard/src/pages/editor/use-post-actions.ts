import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { rpc } from "../../api/rpc.ts";
import { formatDateTime } from "../../lib/time.ts";
import { toast } from "../../ui/toast.tsx";
import { useEditorPage } from "./editor-context.tsx";
import { STALE_AFTER_ACTIONS } from "./stale-after-actions.ts";

type Action = "publish" | "update" | "schedule" | "unpublish" | "delete" | "restore" | "review" | "endReview" | "discard" | "duplicate";

/** The actions on the post beside writing. Each saves the edits first, reports its result, and offers Undo where that is possible. */
export function usePostActions() {
  const { autosave, at, settings } = useEditorPage();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [busy, setBusy] = useState<Action | null>(null);

  const stale = () => Promise.all(STALE_AFTER_ACTIONS.map((name) => client.invalidateQueries({ queryKey: [name] })));
  /** Throws what the server refused, for a dialog to show. */
  async function run<T>(action: Action, work: () => Promise<T>): Promise<T> {
    setBusy(action);
    try {
      const done = await work();
      void stale();
      return done;
    } finally {
      setBusy(null);
    }
  }
  /** For what has no dialog of its own. */
  const orToast = (work: Promise<unknown>): void => void work.catch(toast.error);

  const unpublish = () =>
    run("unpublish", () => autosave.runAction((expectedVersion) => rpc("unpublish_post", { ...at, expectedVersion }), { readAgain: true }));
  const publish = () =>
    run("publish", () => autosave.runAction((expectedVersion) => rpc("publish_post", { ...at, expectedVersion }), { readAgain: true }));
  const update = () =>
    run("update", () => autosave.runAction((expectedVersion) => rpc("update_live_post", { ...at, expectedVersion }), { readAgain: true }));
  const schedule = (when: string) =>
    run("schedule", () => autosave.runAction((expectedVersion) => rpc("schedule_post", { ...at, expectedVersion, at: when })));
  const restore = () =>
    run("restore", () => autosave.runAction((expectedVersion) => rpc("restore_post", { ...at, expectedVersion }), { evenUnsaved: true }));
  /** When it was to publish itself; null when it was not. */
  const scheduledTime = (): string | null => {
    const { status, scheduledAt } = autosave.snapshot().post;
    return status === "scheduled" ? scheduledAt : null;
  };
  /** Unpublishes or unschedules the post. A post that was scheduled for a time still to come is scheduled again. */
  const undoPublish = async (before: string | null): Promise<string> => {
    if (before === null || !isAhead(before)) {
      await unpublish();
      return "Undone. Readers no longer see it.";
    }
    // Only a draft can be scheduled, so a published post is unpublished first.
    if (autosave.snapshot().post.status === "published") await unpublish();
    await schedule(before);
    return `Scheduled again for ${timeThere(before)}.`;
  };
  /** Publishing it again would bring words live that readers have never seen, if there are any: those are published by hand. */
  const requireSeen = (hadUnseen: boolean, since: number): void => {
    const { post, save } = autosave.snapshot();
    if (!hadUnseen && post.version === since && save.phase === "saved") return;
    throw new Error("It has unpublished changes, so it was not published again. Review it, then publish it.");
  };
  const timeThere = (moment: string): string => `${formatDateTime(moment, settings.settings.timeZone)} (${settings.settings.timeZone})`;
  const undoBy = (undo: () => Promise<string>) => ({ label: "Undo", run: () => orToast(undo().then((text) => toast.ok(text))) });

  return {
    busy,
    async publish() {
      const before = scheduledTime();
      await publish();
      toast.ok(
        "Published. Readers see it now.",
        undoBy(() => undoPublish(before)),
      );
    },
    async update() {
      await update();
      toast.ok("Changes published. Readers see them now.");
    },
    async discard() {
      await run("discard", () =>
        autosave.runAction((expectedVersion) => rpc("discard_changes", { ...at, expectedVersion }), { readAgain: true }),
      );
      toast.ok("Changes discarded. The text stays in the history.");
    },
    async schedule(when: string) {
      const before = scheduledTime();
      await schedule(when);
      toast.ok(
        `Scheduled for ${timeThere(when)}.`,
        undoBy(() => undoPublish(before)),
      );
    },
    unpublish() {
      const before = scheduledTime();
      const { post, save } = autosave.snapshot();
      const hadUnseen = post.hasUnpublishedChanges || save.phase !== "saved";
      const text = before === null ? "Unpublished. Readers no longer see it." : "Unscheduled. It is a draft again.";
      const undo = (since: number) => async () => {
        if (before === null) requireSeen(hadUnseen, since);
        await (before === null ? publish() : schedule(before));
        return "Undone.";
      };
      orToast(unpublish().then(({ version }) => toast.ok(text, undoBy(undo(version)))));
    },
    async delete() {
      const { status } = autosave.snapshot().post;
      await run("delete", () => autosave.runAction((expectedVersion) => rpc("delete_post", { ...at, expectedVersion })));
      await navigate({ to: "/s/$websiteId/posts", params: { websiteId: at.websiteId } });
      const { version } = autosave.snapshot().post;
      const text = status === "published" ? "Moved to trash. Readers no longer see it." : "Moved to trash. You can restore it for 30 days.";
      toast.ok(text, {
        label: "Undo",
        run: () =>
          orToast(
            rpc("restore_post", { ...at, expectedVersion: version })
              .then(stale)
              .then(() => toast.ok("Restored as draft.")),
          ),
      });
    },
    restore: () => orToast(restore().then(() => toast.ok("Restored as draft."))),
    async askForReview(note: string) {
      await run("review", () => autosave.runAction((expectedVersion) => rpc("request_review", { ...at, expectedVersion, note })));
      toast.ok("Review requested.");
    },
    endReview: () =>
      orToast(
        run("endReview", () => autosave.runAction((expectedVersion) => rpc("end_review", { ...at, expectedVersion }))).then(() =>
          toast.ok("Review request closed."),
        ),
      ),
    duplicate: () =>
      orToast(
        run("duplicate", async () => {
          await autosave.save();
          const copy = await rpc("duplicate_post", at);
          await navigate({ to: "/s/$websiteId/posts/$postId", params: { websiteId: at.websiteId, postId: copy.id } });
          toast.ok("Duplicated as a draft.");
        }),
      ),
  };
}

const isAhead = (moment: string): boolean => Date.parse(moment) > Date.now();

export type PostActions = ReturnType<typeof usePostActions>;
