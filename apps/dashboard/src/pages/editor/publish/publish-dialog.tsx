import { useState } from "react";
import { isProblem, messageOf } from "../../../lib/problem.ts";
import { toLocal } from "../../../lib/zoned-time.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Loading } from "../../../ui/spinner.tsx";
import { useEditorPage } from "../editor-context.tsx";
import type { PostActions } from "../use-post-actions.ts";
import { Findings } from "./findings.tsx";
import { PublicSummary } from "./public-summary.tsx";
import { momentOf, ScheduleFields, type When } from "./schedule-fields.tsx";
import { ToolChanges } from "./tool-changes.tsx";
import { type Finding, useChecks } from "./use-checks.ts";

const HOUR_MILLIS = 3_600_000;

/** The last look before readers see it. */
export function PublishDialog({
  later,
  open,
  onOpenChange,
  onFinding,
  onDiscard,
  actions,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onFinding: (finding: Finding) => void;
  /** Asks whether to discard the unpublished changes instead. */
  onDiscard: () => void;
  actions: PostActions;
  /** Begins with "Schedule". */
  later: boolean;
}) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={<Title />} width="md">
      {open && <Form later={later} actions={actions} onFinding={onFinding} onDiscard={onDiscard} onDone={() => onOpenChange(false)} />}
    </Dialog>
  );
}

function Title() {
  const { post } = useEditorPage();
  return post.status === "published" ? "Publish changes" : post.status === "scheduled" ? "Reschedule" : "Publish";
}

function Form({
  later: beginsLater,
  actions,
  onFinding,
  onDiscard,
  onDone,
}: {
  later: boolean;
  actions: PostActions;
  onFinding: (finding: Finding) => void;
  onDiscard: () => void;
  onDone: () => void;
}) {
  const { post, settings, save } = useEditorPage();
  const isLive = post.status === "published";
  const { timeZone } = settings.settings;
  const [later, setLater] = useState(beginsLater || post.status === "scheduled");
  const [when, setWhen] = useState<When>(() => ({ local: toLocal(post.scheduledAt ?? nextHour(), timeZone), timeZone }));
  const [error, setError] = useState<unknown>(null);
  const isSaved = save.phase === "saved";
  const checks = useChecks(isSaved);
  const stops = checks.data?.some(({ severity }) => severity === "stops") ?? false;
  const moment = momentOf(when);
  const isPast = moment !== null && hasPassed(moment);

  const go = async () => {
    setError(null);
    try {
      if (isLive) await actions.update();
      else if (later && moment) await actions.schedule(moment);
      else await actions.publish();
      onDone();
    } catch (failure) {
      setError(failure);
    }
  };
  const label = isLive ? "Publish changes" : later ? "Schedule" : "Publish now";
  return (
    <form
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        void go();
      }}
    >
      <PublicSummary />
      <ToolChanges isSaved={isSaved} />
      <section aria-label="Checks">
        <h3 className="mb-2 text-sm font-medium">Checks</h3>
        {checks.data ? (
          <Findings
            findings={checks.data}
            onGo={(finding) => {
              onDone();
              onFinding(finding);
            }}
          />
        ) : checks.isError ? (
          <Notice tone="warn">The checks could not be run: {messageOf(checks.error)}</Notice>
        ) : save.phase === "waiting" ? (
          <Notice tone="warn">Your latest changes are not saved yet. The checks run once they are.</Notice>
        ) : (
          <Loading label="Checking …" />
        )}
      </section>
      {!isLive && (
        <fieldset className="flex flex-col gap-3">
          <legend className="mb-2 text-sm font-medium">When</legend>
          <div className="flex gap-2">
            <Choice chosen={!later} onChoose={() => setLater(false)} label="Now" />
            <Choice chosen={later} onChoose={() => setLater(true)} label="Schedule" />
          </div>
          {later && (
            <ScheduleFields when={when} onChange={setWhen} error={isPast ? "This time has passed. Choose a later one." : undefined} />
          )}
        </fieldset>
      )}
      {error !== null && <Refusal error={error} />}
      <div className="flex flex-wrap justify-end gap-2">
        {isLive && post.hasUnpublishedChanges && (
          <Button variant="ghost" className="mr-auto -ml-3.5 text-danger" onClick={onDiscard}>
            Discard changes …
          </Button>
        )}
        <Button onClick={onDone}>Cancel</Button>
        <Button
          variant="primary"
          type="submit"
          busy={actions.busy !== null}
          disabled={stops || (later && !isLive && (moment === null || isPast))}
        >
          {label}
        </Button>
      </div>
    </form>
  );
}

function Choice({ chosen, onChoose, label }: { chosen: boolean; onChoose: () => void; label: string }) {
  return (
    <label className="flex h-9 cursor-pointer items-center gap-2 rounded-control border border-line px-3 text-sm has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-accent">
      <input type="radio" name="when" checked={chosen} onChange={onChoose} className="accent-accent" />
      {label}
    </label>
  );
}

function Refusal({ error }: { error: unknown }) {
  if (isProblem(error, "VERSION_CONFLICT")) {
    return (
      <Notice tone="warn" title="Someone just changed this post">
        Nothing was published. Their version is loaded now: review it, then publish again.
      </Notice>
    );
  }
  if (isProblem(error, "INVALID_TRANSITION")) {
    return (
      <Notice tone="warn" title="The status of the post has changed">
        {error.message} Close this dialog to see what you can do now.
      </Notice>
    );
  }
  return <Notice tone="danger">{messageOf(error)}</Notice>;
}

const hasPassed = (moment: string): boolean => Date.parse(moment) <= Date.now();

function nextHour(): number {
  return Math.ceil((Date.now() + HOUR_MILLIS / 4) / HOUR_MILLIS) * HOUR_MILLIS;
}
