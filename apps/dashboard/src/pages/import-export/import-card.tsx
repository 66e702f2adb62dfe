import { useQueryClient } from "@tanstack/react-query";
import { FileUp } from "lucide-react";
import { type DragEvent, useRef, useState } from "react";
import { cn } from "../../lib/cn.ts";
import { formatBytes, plural } from "../../lib/format.ts";
import { useWebsiteContext } from "../../shell/website-context.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { ImportReport } from "./import-report.tsx";
import { startImport, useImport } from "./running-imports.ts";

export function ImportCard() {
  const { website } = useWebsiteContext();
  const client = useQueryClient();
  const input = useRef<HTMLInputElement>(null);
  const state = useImport(website.id);
  const [over, setOver] = useState(false);
  const run = (file: File) => startImport(client, website, file);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const file = event.dataTransfer.files[0];
    if (file) void run(file);
  };

  return (
    <Card
      title="Import"
      description="Adds content from a Stet export. Existing content is never changed, so you can import the same file again."
    >
      {state?.step === "running" ? (
        <div className="flex flex-col gap-3">
          <p className="text-sm">
            Importing <span className="font-medium break-all">{state.file.name}</span> ({formatBytes(state.file.size)})
          </p>
          <progress
            aria-label="Import"
            max={1}
            value={state.progress.share}
            className="h-2 w-full overflow-hidden rounded-full [&::-webkit-progress-bar]:bg-hover [&::-webkit-progress-value]:bg-accent [&::-moz-progress-bar]:bg-accent"
          />
          <div className="flex items-center justify-between gap-3 text-sm text-muted">
            <p>
              {Math.round(state.progress.share * 100)} %{state.progress.lines > 0 && `, ${plural(state.progress.lines, "line")} done`}
            </p>
            <Button size="sm" onClick={state.stop}>
              Stop
            </Button>
          </div>
          <p className="text-sm text-muted">
            You can keep working in the dashboard. Keep this tab open: closing it stops the import. To continue, import the same file again.
          </p>
        </div>
      ) : (
        <div className="flex flex-col gap-4">
          {state?.step === "done" && <ImportReport file={state.file} result={state.result} problem={state.problem} />}
          <div
            onDragOver={(event) => {
              event.preventDefault();
              setOver(true);
            }}
            onDragLeave={() => setOver(false)}
            onDrop={drop}
            className={cn(
              "flex flex-col items-center gap-3 rounded-card border border-dashed border-line-strong/60 px-6 py-8 text-center text-sm",
              over && "border-accent bg-accent-soft",
            )}
          >
            <FileUp aria-hidden className="size-6 text-muted" />
            <p className="text-muted">Drop an export here, or</p>
            <Button onClick={() => input.current?.click()}>{state ? "Choose another file" : "Choose a file"}</Button>
            <input
              ref={input}
              type="file"
              aria-label="File to import"
              accept=".ndjson,.jsonl,application/x-ndjson"
              className="sr-only"
              tabIndex={-1}
              onChange={(event) => {
                const file = event.target.files?.[0];
                event.target.value = "";
                if (file) void run(file);
              }}
            />
          </div>
        </div>
      )}
    </Card>
  );
}
