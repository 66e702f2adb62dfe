import { useQueryClient } from "@tanstack/react-query";
import { FileUp } from "lucide-react";
import { type DragEvent, useEffect, useRef, useState } from "react";
import { importWebsite, type ImportProgress, type ImportResult } from "../../api/import-website.ts";
import { ApiProblem } from "../../api/problem.ts";
import { cn } from "../../lib/cn.ts";
import { formatBytes, plural } from "../../lib/format.ts";
import { usePlace } from "../../shell/place.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { ImportReport } from "./import-report.tsx";

type State =
  | { readonly step: "waiting" }
  | { readonly step: "running"; readonly file: File; readonly progress: ImportProgress; readonly stop: AbortController }
  | { readonly step: "done"; readonly file: File; readonly result: ImportResult | null; readonly problem: unknown };

export function ImportCard() {
  const { website } = usePlace();
  const client = useQueryClient();
  const input = useRef<HTMLInputElement>(null);
  const [state, setState] = useState<State>({ step: "waiting" });
  const [over, setOver] = useState(false);
  const stop = state.step === "running" ? state.stop : null;
  // Leaving the page stops it; what was imported until then stays.
  useEffect(() => () => stop?.abort(), [stop]);

  const run = async (file: File) => {
    const abort = new AbortController();
    const show = (progress: ImportProgress) => setState({ step: "running", file, progress, stop: abort });
    show({ share: 0, lines: 0 });
    try {
      const result = await importWebsite(website.id, file, { onProgress: show, signal: abort.signal });
      setState({ step: "done", file, result, problem: null });
    } catch (problem) {
      const soFar = problem instanceof ApiProblem ? (problem.facts["soFar"] as ImportResult | undefined) : undefined;
      setState({ step: "done", file, result: soFar ?? null, problem });
    }
    // Posts, terms, images, fields and numbers: all of it may be new.
    await client.invalidateQueries();
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const file = event.dataTransfer.files[0];
    if (file) void run(file);
  };

  return (
    <Card
      title="Import"
      description="Adds what an export of Stet holds and this website lacks. What is here already is never changed, so the same file can be run again."
    >
      {state.step === "running" ? (
        <div className="flex flex-col gap-3">
          <p className="text-sm">
            Importing <span className="font-medium break-all">{state.file.name}</span> ({formatBytes(state.file.size)})
          </p>
          <progress
            aria-label="Import"
            max={1}
            // The last piece is sent before the last line is written down.
            value={Math.min(state.progress.share, 0.99)}
            className="h-2 w-full overflow-hidden rounded-full [&::-webkit-progress-bar]:bg-hover [&::-webkit-progress-value]:bg-accent [&::-moz-progress-bar]:bg-accent"
          />
          <div className="flex items-center justify-between gap-3 text-sm text-muted">
            <p role="status">
              {Math.round(state.progress.share * 100)} % read
              {state.progress.lines > 0 && `, ${plural(state.progress.lines, "line")} done`}
            </p>
            <Button size="sm" onClick={() => state.stop.abort()}>
              Stop
            </Button>
          </div>
        </div>
      ) : (
        <div className="flex flex-col gap-4">
          {state.step === "done" && <ImportReport file={state.file} result={state.result} problem={state.problem} />}
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
            <Button onClick={() => input.current?.click()}>{state.step === "done" ? "Choose another file" : "Choose a file"}</Button>
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
