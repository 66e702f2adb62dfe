import { type FormEvent, useId, useState } from "react";
import { useAct, useOp } from "../../api/hooks.ts";
import type { Output } from "../../api/wire.ts";
import { isProblem } from "../../lib/problem.ts";
import { formatDateTime } from "../../lib/time.ts";
import { titleOf } from "../../lib/title-of.ts";
import { fromLocal, toLocal } from "../../lib/zoned-time.ts";
import { mayOnPost } from "../../shell/may-on-post.ts";
import { useWebsiteContext } from "../../shell/website-context.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/inputs.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Loading } from "../../ui/spinner.tsx";
import { toast } from "../../ui/toast.tsx";

const STALE = ["list_calendar", "list_posts", "get_home", "get_post"] as const;

/** Moves the time at which a post publishes itself. */
export function RescheduleDialog({ postId, timeZone, onClose }: { postId: string; timeZone: string; onClose: () => void }) {
  const { website } = useWebsiteContext();
  const post = useOp("get_post", { websiteId: website.id, postId });
  const form = useId();
  const move = useAct("schedule_post", {
    stale: STALE,
    // Somebody changed the post a moment ago: the next try is made on what it is now.
    onError: (problem) => isProblem(problem, "VERSION_CONFLICT") && void post.refetch(),
  });
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Reschedule"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form={form} busy={move.isPending} disabled={!post.data}>
            Reschedule
          </Button>
        </>
      }
    >
      {post.isPending ? (
        <Loading />
      ) : post.isLoadingError ? (
        <ErrorState error={post.error} onRetry={() => void post.refetch()} />
      ) : (
        // A new version of the text leaves the time that is being entered alone.
        <TimeForm key={post.data.scheduledAt} id={form} post={post.data} timeZone={timeZone} move={move} onDone={onClose} />
      )}
    </Dialog>
  );
}

function TimeForm({
  id,
  post,
  timeZone,
  move,
  onDone,
}: {
  id: string;
  post: Output<"get_post">;
  timeZone: string;
  move: ReturnType<typeof useAct<"schedule_post">>;
  onDone: () => void;
}) {
  const context = useWebsiteContext();
  const [local, setLocal] = useState(() => toLocal(post.scheduledAt ?? Date.now(), timeZone));
  const [now] = useState(() => toLocal(Date.now(), timeZone));
  const before = post.scheduledAt;
  const to = (at: string, version: number) =>
    move.mutateAsync({ websiteId: post.websiteId, postId: post.id, expectedVersion: version, at });

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (local === "") return;
    const at = fromLocal(local, timeZone);
    try {
      const moved = await to(at, post.version);
      onDone();
      toast.ok(`“${titleOf(post)}” will publish on ${formatDateTime(at, timeZone)}.`, {
        label: "Undo",
        run: () => void (before && to(before, moved.version).catch(toast.error)),
      });
    } catch {
      // Shown below the field.
    }
  };

  if (post.status !== "scheduled") return <Notice tone="warn">This post is no longer scheduled. Someone changed it.</Notice>;
  if (!mayOnPost(context, "post.publish", post)) {
    return <Notice tone="info">You can only reschedule your own posts. Ask an editor or the author.</Notice>;
  }
  return (
    <form id={id} className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
      <p className="font-medium break-words">{titleOf(post)}</p>
      <Field
        label="Publish at"
        help={`In the website’s time zone: ${timeZone.replaceAll("_", " ")}.`}
        error={move.error?.fieldError("at") ?? move.error?.message}
      >
        {(control) => (
          <Input {...control} type="datetime-local" required min={now} value={local} onChange={(event) => setLocal(event.target.value)} />
        )}
      </Field>
    </form>
  );
}
