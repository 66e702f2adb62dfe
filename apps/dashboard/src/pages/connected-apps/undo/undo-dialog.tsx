import { useState } from "react";
import { useAct } from "../../../api/hooks.ts";
import { plural } from "../../../lib/format.ts";
import { messageOf } from "../../../lib/problem.ts";
import { formatDateTime } from "../../../lib/time.ts";
import { useWorkspaceContext } from "../../../shell/website-context.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { SwitchField } from "../../../ui/inputs.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Loading } from "../../../ui/spinner.tsx";
import type { ConnectionView } from "../connection-words.ts";
import { momentOf, type Since, SinceField } from "./since-field.tsx";
import { UndoList } from "./undo-list.tsx";
import { useUndo } from "./use-undo.ts";

/** Since when, then what that would do, then it is done and told. */
export function UndoDialog({
  connection,
  since: call,
  canDisconnect,
  onClose,
}: {
  connection: ConnectionView;
  since: string | null;
  canDisconnect: boolean;
  onClose: () => void;
}) {
  const { workspace } = useWorkspaceContext();
  const { name } = connection.client;
  const [since, setSince] = useState<Since>({ choice: call ? "call" : "hour", moment: "" });
  const [disconnects, setDisconnects] = useState(false);
  const [lookedFrom, setLookedFrom] = useState<string | null>(null);
  const undo = useUndo(connection.id);
  const disconnect = useAct("disconnect", { stale: ["list_connections"] });
  const { state } = undo;
  const moment = momentOf(since, call);
  const items = state.phase === "asking" ? [] : state.items;
  const toDo = items.filter(({ left }) => left === null).length;
  const stays = items.length - toDo;

  const run = async () => {
    // First, so that it changes nothing meanwhile.
    if (disconnects && !disconnect.isSuccess) await disconnect.mutateAsync({ workspaceId: workspace.id, connectionId: connection.id });
    await undo.run();
  };
  const problem = undo.error ?? disconnect.error;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      width="md"
      title={`Undo changes by ${name}`}
      description="Posts go back to how they were, as new versions, so nothing is lost. Later changes by others are kept."
      footer={
        state.phase === "done" ? (
          <Button variant="primary" onClick={onClose}>
            Close
          </Button>
        ) : (
          <>
            <Button onClick={onClose}>Cancel</Button>
            {state.phase === "preview" && <Button onClick={undo.again}>Choose another time</Button>}
            {state.phase === "asking" || state.phase === "looking" ? (
              <Button
                variant="primary"
                disabled={moment === null}
                busy={state.phase === "looking"}
                onClick={() => {
                  if (!moment) return;
                  setLookedFrom(moment);
                  void undo.look(moment);
                }}
              >
                Preview
              </Button>
            ) : (
              (toDo > 0 || state.phase === "running") && (
                <Button
                  variant="danger"
                  busy={disconnect.isPending || (state.phase === "running" && problem === null)}
                  onClick={() => void run().catch(() => {})}
                >
                  {state.phase === "running" ? "Continue" : `Undo ${plural(toDo, "change")}`}
                </Button>
              )
            )}
          </>
        )
      }
    >
      <div className="flex flex-col gap-5">
        {state.phase === "asking" && <SinceField value={since} call={call} onChange={setSince} />}
        {state.phase === "looking" && <Loading label={`Searching: ${plural(items.length, "change")} so far …`} />}
        {state.phase === "preview" && lookedFrom && (
          <p className="text-sm">
            Changes since <strong className="font-medium">{formatDateTime(lookedFrom)}</strong>
          </p>
        )}
        {state.phase === "preview" && (toDo === 0 || stays > 0) && <Notice tone="info">{previewWords(toDo, stays)}</Notice>}
        {state.phase === "preview" && items.length > 0 && <UndoList items={items} isDone={false} />}
        {state.phase === "preview" && canDisconnect && toDo > 0 && (
          <SwitchField
            label={`Disconnect ${name} first`}
            help="So that it makes no more changes."
            checked={disconnects}
            onCheckedChange={setDisconnects}
          />
        )}
        {state.phase === "running" && (
          <p role="status" className="text-sm text-muted">
            {items.length} of {state.total} …
          </p>
        )}
        {state.phase === "done" && (
          <Notice tone="ok" title={toDo === 0 ? "Nothing was undone" : `${plural(toDo, "change")} undone`}>
            {stays > 0 && `${plural(stays, "item")} skipped: see below.`}
          </Notice>
        )}
        {(state.phase === "running" || state.phase === "done") && <UndoList items={items} isDone />}
        {problem !== null && (
          <Notice tone="danger" title={state.phase === "running" ? "Stopped partway. What was undone stays undone." : undefined}>
            {messageOf(problem)}
          </Notice>
        )}
      </div>
    </Dialog>
  );
}

/** Before the list, which may be long: how much of it stays. */
function previewWords(toDo: number, stays: number): string {
  if (toDo > 0) return `${plural(toDo, "change")} will be undone; ${plural(stays, "item")} will be skipped, with the reasons at the end.`;
  if (stays > 0) return "Nothing left to undo. The rest is skipped, for these reasons.";
  return "No changes in this period, or all of them are already undone.";
}
