import { Link } from "@tanstack/react-router";
import { Database } from "lucide-react";
import { useState } from "react";
import { rpc } from "../../api/rpc.ts";
import { useAct } from "../../api/hooks.ts";
import { cn } from "../../lib/cn.ts";
import { saveFile } from "../../lib/save-file.ts";
import { useWebsiteContext } from "../../shell/website-context.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { HealthBars } from "../../ui/health-bars.tsx";
import { Notice } from "../../ui/notice.tsx";
import { TimeAgo } from "../../ui/time-ago.tsx";
import { toast } from "../../ui/toast.tsx";
import type { ContentDatabase, ContentMove, DatabaseCheck, OwnDatabase } from "./words.ts";

/** Where the content is at this moment, and whether that is in order. */
export function WhereContentIs({ content, check }: { content: ContentDatabase; check: DatabaseCheck | undefined }) {
  const { website } = useWebsiteContext();
  const { database, home, move, history } = content;
  const isOwn = home === "own" && database !== null;
  const isAway = isOwn && (check ? check.error !== null : database.isAway);
  const isLeaving = isOwn && move?.direction === "back" && move.state === "running";
  return (
    <Card>
      <div className="flex items-start gap-4">
        <span
          className={cn(
            "grid size-10 shrink-0 place-items-center rounded-full",
            isAway ? "bg-danger-soft text-danger" : "bg-ok-soft text-ok",
          )}
        >
          <Database aria-hidden className="size-5" />
        </span>
        <div className="min-w-0 flex-1">
          <h2 className="flex flex-wrap items-center gap-2 text-[0.9375rem] font-semibold break-all">
            {isOwn ? database.shown : "Stet’s own database"}{" "}
            {isLeaving ? (
              <Badge tone="warn">Disconnecting</Badge>
            ) : isAway ? (
              <Badge tone="danger">Not responding</Badge>
            ) : (
              <Badge tone="ok">In use</Badge>
            )}
          </h2>
          <p className="mt-1 text-sm text-muted">
            {isOwn ? (
              <Health database={database} check={check} />
            ) : (
              <>
                The content of this website is stored here. Download a copy at any time under{" "}
                <Link to="/s/$websiteId/settings/transfer" params={{ websiteId: website.id }} className="text-text underline">
                  Import and export
                </Link>
                .
              </>
            )}
          </p>
          {move && hasReport(move) && <ReportButton />}
        </div>
      </div>
      {isOwn && (
        <div className="mt-5 flex flex-col gap-1">
          <HealthBars bars={history} label="Last 24 hours" />
          {database.error !== null && database.errorAt !== null && !isAway && (
            <p className="text-[0.8125rem] text-muted">
              Last error <TimeAgo at={database.errorAt} />: {database.error}
            </p>
          )}
        </div>
      )}
      {database && check && <Trouble check={check} isInUse={isOwn} />}
    </Card>
  );
}

/** One that was stopped before everything was compared has none. */
const hasReport = ({ comparedAt, state }: ContentMove): boolean => comparedAt !== null || state === "done" || state === "failed";

function Health({ database, check }: { database: OwnDatabase; check: DatabaseCheck | undefined }) {
  const { serverVersion, activatedAt } = database;
  return (
    <>
      {check?.latencyMillis != null && `Answers in ${check.latencyMillis} ms. `}
      {serverVersion !== "unknown" && `Version ${serverVersion}. `}
      {activatedAt && (
        <>
          Activated <TimeAgo at={activatedAt} />.
        </>
      )}
    </>
  );
}

function Trouble({ check, isInUse }: { check: DatabaseCheck; isInUse: boolean }) {
  const { website } = useWebsiteContext();
  const [open, setOpen] = useState(false);
  const confirm = useAct("confirm_own_database", { stale: ["get_own_database", "check_own_database"] });
  const { error, readOnly } = check;
  if (error === null && readOnly === null) return null;
  return (
    <div className="mt-4">
      {error !== null && (
        <Notice tone="danger" title="Your database did not answer">
          {error}
          {isInUse && " Posts cannot be saved until it answers again. Until then, readers see the last cached version, if there is one."}
        </Notice>
      )}
      {readOnly && (
        <Notice
          tone="warn"
          title={isInUse ? "Posts cannot be saved" : "This database cannot be used"}
          action={
            isInUse &&
            readOnly.confirmable && (
              <Button size="sm" onClick={() => setOpen(true)}>
                Confirm database …
              </Button>
            )
          }
        >
          {readOnly.reason}
        </Notice>
      )}
      <ConfirmDialog
        open={open}
        onOpenChange={setOpen}
        title="Is this the right database?"
        action="Confirm database"
        typeName={website.name}
        onConfirm={(confirmName) => confirm.mutateAsync({ websiteId: website.id, confirmName })}
      >
        <p>Confirm only if this database holds the current content of this website. Posts are saved to it again from then on.</p>
      </ConfirmDialog>
    </div>
  );
}

function ReportButton() {
  const { website } = useWebsiteContext();
  const [busy, setBusy] = useState(false);
  const download = async () => {
    setBusy(true);
    try {
      const report = await rpc("get_content_move_report", { websiteId: website.id });
      saveFile(`migration-report-${website.id}.json`, `${JSON.stringify(report, null, 2)}\n`, "application/json");
    } catch (error) {
      toast.error(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button size="sm" className="mt-3" busy={busy} onClick={() => void download()}>
      Download migration report
    </Button>
  );
}
