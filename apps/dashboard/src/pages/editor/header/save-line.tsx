import { CloudOff, TriangleAlert } from "lucide-react";
import { isStuck, type SaveState } from "../../../autosave/save-state.ts";
import { useOnline } from "../../../shell/status-line.tsx";
import { Spinner } from "../../../ui/spinner.tsx";
import { useEditorPage } from "../editor-context.tsx";

/** One quiet line that says whether the text has reached the server. */
export function SaveLine() {
  const { save, autosave, readOnly, keptHere } = useEditorPage();
  const online = useOnline();
  if (readOnly && save.phase === "saved") return <p className="truncate text-[0.8125rem] text-muted">Read only</p>;
  const trouble = isStuck(save);
  const text = trouble && !keptHere ? "Not saved, and not kept in this browser: keep the page open" : textOf(save, online);
  return (
    <div className="flex min-w-0 items-center gap-1.5 text-[0.8125rem] text-muted">
      {save.phase === "saving" && <Spinner className="size-3.5 shrink-0" />}
      {save.phase === "waiting" && <CloudOff aria-hidden className="size-3.5 shrink-0 text-warn" />}
      {trouble && save.phase !== "waiting" && <TriangleAlert aria-hidden className="size-3.5 shrink-0 text-danger" />}
      <p role="status" className="truncate" title={trouble ? text : undefined}>
        {text}
      </p>
      {(save.phase === "waiting" || save.phase === "stopped") && (
        <button type="button" className="shrink-0 font-medium text-accent hover:underline" onClick={() => autosave.retry()}>
          Try again
        </button>
      )}
    </div>
  );
}

function textOf(save: SaveState, online: boolean): string {
  switch (save.phase) {
    case "saved":
      return "Saved";
    case "edited":
      return "Edited";
    case "saving":
      return "Saving …";
    case "waiting":
      if (save.passesSoon) return "Saving again in a moment — kept in this browser";
      if (save.code === "CONTENT_STORE_UNAVAILABLE") return "Not saved: the content database does not respond — kept in this browser";
      if (save.code === "STORAGE_FULL") return "Not saved: the server’s disk is full — kept in this browser";
      return online ? "Not saved yet — kept in this browser" : "Offline — kept in this browser";
    case "refused":
      return `Not saved: ${Object.values(save.errors).join("; ")}`;
    case "stopped":
      return `Not saved: ${save.message}`;
    case "conflict":
      return "Not saved: someone changed the same text";
  }
}
