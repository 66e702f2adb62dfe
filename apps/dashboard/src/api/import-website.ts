import { ApiProblem, problemOf } from "./problem.ts";
import type { Output } from "./wire.ts";

export type ImportResult = Output<"import_website">;

export interface ImportProgress {
  /** Of the file, 0 to 1: it is read only as fast as it is written down. */
  readonly share: number;
  /** Lines that are done. */
  readonly lines: number;
}

interface Line {
  readonly done?: number;
  readonly result?: ImportResult;
  readonly problem?: { status: number };
}

/** Sends an export. The answer comes line by line while the file is still on its way, which `fetch` cannot show. */
export function importWebsite(
  websiteId: string,
  file: File,
  options: { onProgress: (progress: ImportProgress) => void; signal: AbortSignal },
): Promise<ImportResult> {
  const request = new XMLHttpRequest();
  let share = 0;
  let lines = 0;
  const tell = () => options.onProgress({ share, lines });
  return new Promise((resolve, reject) => {
    request.open("POST", `/api/websites/${websiteId}/import`);
    request.setRequestHeader("Content-Type", "application/x-ndjson");
    request.upload.addEventListener("progress", ({ loaded, total }) => {
      share = total > 0 ? loaded / total : 0;
      tell();
    });
    request.addEventListener("progress", () => {
      lines = linesOf(request.responseText).findLast(({ done }) => done !== undefined)?.done ?? lines;
      tell();
    });
    const cutOff = () =>
      reject(new ApiProblem({ status: 0, code: "OFFLINE", detail: "The connection broke while importing. Run the same file again." }));
    request.addEventListener("error", cutOff);
    request.addEventListener("abort", () => reject(new DOMException("The import was stopped.", "AbortError")));
    request.addEventListener("load", () => {
      const { result, problem } = request.status === 200 ? (linesOf(request.responseText).at(-1) ?? {}) : {};
      if (result) return resolve(result);
      if (request.status === 200 && !problem) return cutOff();
      const response = problem
        ? new Response(JSON.stringify(problem), { status: problem.status })
        : new Response(request.responseText, { status: request.status });
      problemOf(response).then(reject, reject);
    });
    options.signal.addEventListener("abort", () => request.abort());
    request.send(file);
  });
}

/** The whole lines so far; the last may still be coming. */
function linesOf(text: string): Line[] {
  return text
    .slice(0, text.lastIndexOf("\n") + 1)
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line);
}
