import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { rpc } from "../../api/rpc.ts";
import { formatDateTime } from "../../lib/time.ts";
import { toast } from "../../ui/toast.tsx";
import { useEditorPage } from "./editor-context.tsx";
import { STALE_AFTER_ACTIONS } from "./stale-after-actions.ts";

type Action = "publish" | "update" | "schedule" | "unpublish" | "delete" | "restore" | "review" | "endReview" | "discard" | "duplicate";

/** What can be done with the post beside writing. Each saves what is typed first, says what came of it, and offers Undo where there is one. */
export function usePostActions() {
  const { desk, at, settings } = useEditorPage();
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
    run("unpublish", () => desk.act((expectedVersion) => rpc("unpublish_post", { ...at, expectedVersion }), { readAgain: true }));
  const publish = () =>
    run("publish", () => desk.act((expectedVersion) => rpc("publish_post", { ...at, expectedVersion }), { readAgain: true }));
  const update = () =>
    run("update", () => desk.act((expectedVersion) => rpc("update_live_post", { ...at, expectedVersion }), { readAgain: true }));
  const schedule = (when: string) =>
    run("schedule", () => desk.act((expectedVersion) => rpc("schedule_post", { ...at, expectedVersion, at: when })));
  const restore = () =>
    run("restore", () => desk.act((expectedVersion) => rpc("restore_post", { ...at, expectedVersion }), { evenUnsaved: true }));

  return {
    busy,
    async publish() {
      await publish();
      toast.ok("Published. Readers see it now.", {
        label: "Undo",
        run: () => orToast(unpublish().then(() => toast.ok("Taken off the website again."))),
      });
    },
    async update() {
      await update();
      toast.ok("Updated. Readers see the new text now.");
    },
    /** A tool's suggestion goes live, or is taken back. */
    accept: () => orToast(update().then(() => toast.ok("Accepted. Readers see the new text now."))),
    discard: () =>
      orToast(
        run("discard", () => desk.act((expectedVersion) => rpc("discard_changes", { ...at, expectedVersion }), { readAgain: true })).then(
          () => toast.ok("Rejected. The text is what readers see; the suggestion stays in the history."),
        ),
      ),
    async schedule(when: string) {
      await schedule(when);
      const { timeZone } = settings.settings;
      toast.ok(`Scheduled for ${formatDateTime(when, timeZone)} (${timeZone}).`, {
        label: "Undo",
        run: () => orToast(unpublish().then(() => toast.ok("No longer scheduled."))),
      });
    },
    unpublish() {
      const { status, scheduledAt } = desk.snapshot().post;
      const undo = status === "scheduled" && scheduledAt ? () => schedule(scheduledAt) : publish;
      const text = status === "scheduled" ? "No longer scheduled: it is a draft again." : "Unpublished. Readers no longer see it.";
      orToast(
        unpublish().then(() => toast.ok(text, { label: "Undo", run: () => orToast(undo().then(() => toast.ok("As it was before."))) })),
      );
    },
    async delete() {
      const { status } = desk.snapshot().post;
      await run("delete", () => desk.act((expectedVersion) => rpc("delete_post", { ...at, expectedVersion })));
      await navigate({ to: "/s/$websiteId/posts", params: { websiteId: at.websiteId } });
      const { version } = desk.snapshot().post;
      const text = status === "published" ? "In the trash, and off the website." : "In the trash for 30 days.";
      toast.ok(text, {
        label: "Undo",
        run: () =>
          orToast(
            rpc("restore_post", { ...at, expectedVersion: version })
              .then(stale)
              .then(() => toast.ok("Back, as a draft.")),
          ),
      });
    },
    restore: () => orToast(restore().then(() => toast.ok("Back, as a draft."))),
    async askForReview(note: string) {
      await run("review", () => desk.act((expectedVersion) => rpc("request_review", { ...at, expectedVersion, note })));
      toast.ok("An editor was asked to look at it.");
    },
    endReview: () =>
      orToast(
        run("endReview", () => desk.act((expectedVersion) => rpc("end_review", { ...at, expectedVersion }))).then(() =>
          toast.ok("The request for review has ended."),
        ),
      ),
    duplicate: () =>
      orToast(
        run("duplicate", async () => {
          await desk.save();
          const copy = await rpc("duplicate_post", at);
          await navigate({ to: "/s/$websiteId/posts/$postId", params: { websiteId: at.websiteId, postId: copy.id } });
          toast.ok("This is the copy, a draft of its own.");
        }),
      ),
  };
}

export type PostActions = ReturnType<typeof usePostActions>;
