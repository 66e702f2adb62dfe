import type { ReactNode } from "react";
import { useOp } from "../../api/hooks.ts";
import type { Output } from "../../api/wire.ts";
import { partName } from "../../lib/part-names.ts";
import { alsoWords, listWords, suggestionWords } from "../../lib/suggestion-words.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Loading } from "../../ui/spinner.tsx";
import { useActorNames } from "../use-actor-names.ts";
import { useWebsiteContext } from "../website-context.ts";
import { isEmptyDiff, NamedDiff } from "./named-diff.tsx";
import { type DecidingProps, DecisionButtons } from "./suggestion-buttons.tsx";

type Opened = Output<"get_suggestion">;
type Diff = NonNullable<Opened["diff"]>;

/** A suggestion compared with how its target is now, and the answers to it. */
export function SuggestionDialog({ suggestion: listed, rights, decide, onClose }: DecidingProps & { onClose: () => void }) {
  const { website } = useWebsiteContext();
  const nameOf = useActorNames([listed.by]);
  const opened = useOp("get_suggestion", { websiteId: website.id, suggestionId: listed.id });
  // As it is compared here: the app may have changed it since it was listed.
  const suggestion = opened.data ?? listed;
  const isOpen = suggestion.status === "open";
  const inConflict = isOpen && (opened.data?.conflicts.length ?? 0) > 0;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      width="lg"
      title={<span dir="auto">{suggestion.label || "Untitled"}</span>}
      description={`${nameOf(suggestion.by)} ${suggestionWords(suggestion, !isOpen)}.`}
      footer={
        <>
          {!isOpen || !rights.decide ? (
            <Button onClick={onClose}>Close</Button>
          ) : inConflict ? (
            <ConflictButtons suggestion={suggestion} rights={rights} decide={decide} onClose={onClose} />
          ) : (
            <DecisionButtons
              suggestion={suggestion}
              rights={rights}
              decide={decide}
              isViewed
              onDone={onClose}
              onView={() => void opened.refetch()}
            />
          )}
        </>
      }
    >
      {opened.isPending ? (
        <Loading label="Comparing …" />
      ) : opened.isLoadingError ? (
        <ErrorState error={opened.error} onRetry={() => void opened.refetch()} />
      ) : (
        <Comparison opened={opened.data} />
      )}
    </Dialog>
  );
}

function Comparison({ opened }: { opened: Opened }) {
  const { diff, since, conflicts, status, target } = opened;
  if (!diff) return <p className="text-sm">The {target} was deleted permanently. Reject the suggestion to close it.</p>;
  const also = status === "open" ? alsoWords(opened) : "";
  const changed = [...new Set(conflicts.map((path) => path.split(".", 1)[0] ?? path))];
  return (
    <div className="flex flex-col gap-5">
      {also && <p className="text-sm">{also}</p>}
      {since && changed.length > 0 ? (
        <>
          <Notice tone="warn" title="The same part was changed since">
            Someone changed the {listWords(changed.map(partName))} after this was suggested. Compare both, then choose a version.
          </Notice>
          <Side title="Suggested" about="Changes to the current version if you use the suggestion.">
            <NamedDiff diff={diff} />
          </Side>
          <Side title="Changed since" about="Changes by others after the suggestion.">
            <NamedDiff diff={only(since, changed)} />
          </Side>
        </>
      ) : isEmptyDiff(diff) ? (
        opened.fields.length > 0 && <p className="text-sm text-muted">The current version already has these changes.</p>
      ) : (
        <NamedDiff diff={diff} />
      )}
    </div>
  );
}

function Side({ title, about, children }: { title: string; about: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="flex flex-col gap-3 rounded-control border border-line p-4">
      <div>
        <h3 className="text-sm font-semibold">{title}</h3>
        <p className="text-[0.8125rem] text-muted">{about}</p>
      </div>
      {children}
    </section>
  );
}

/** The part of a comparison that these fields are. */
const only = (diff: Diff, names: readonly string[]): Diff => ({
  title: names.includes("title") ? diff.title : [],
  excerpt: names.includes("excerpt") ? diff.excerpt : [],
  body: names.includes("body") ? diff.body : [],
  fields: diff.fields.filter(({ field }) => names.includes(field)),
});

function ConflictButtons({ suggestion, rights, decide, onClose }: DecidingProps & { onClose: () => void }) {
  const busy = decide.busyOn(suggestion);
  const onlyContent = suggestion.action !== null && !rights.act;
  const take = async () => {
    if ((await decide.accept(suggestion, { conflicts: "suggested", onlyContent })) === "done") onClose();
  };
  return (
    <>
      <Button
        busy={busy === "reject"}
        disabled={busy !== null}
        onClick={() => void decide.reject(suggestion).then((done) => done && onClose())}
      >
        Keep the current version
      </Button>
      <Button variant="primary" busy={busy === "accept" || busy === "content"} disabled={busy !== null} onClick={() => void take()}>
        Use the suggested version
      </Button>
    </>
  );
}
