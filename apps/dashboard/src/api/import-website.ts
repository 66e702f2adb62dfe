import { ApiProblem } from "../lib/problem.ts";
import { openerHeaders } from "./opened-by.ts";
import { readProblem } from "./read-problem.ts";
import type { Output } from "./wire.ts";

export type ImportResult = Output<"import_website">;

export interface ImportProgress {
  /** The share of the file that is sent, 0 to 1. */
  readonly share: number;
  /** Lines that are done; 0 while that is not known. */
  readonly lines: number;
}

interface Line {
  readonly done?: number;
  readonly bytes?: number;
  readonly result?: ImportResult;
  readonly problem?: { status: number };
}

/** Sends an export, and tells how far it is: `fetch` cannot say that, `XMLHttpRequest` can. */
export function importWebsite(
  websiteId: string,
  file: File,
  options: { onProgress: (progress: ImportProgress) => void; signal: AbortSignal },
): Promise<ImportResult> {
  const request = new XMLHttpRequest();
  let share = 0;
  const report = (now: number, lines = 0) => {
    share = Math.max(share, now);
    options.onProgress({ share, lines });
  };
  return new Promise((resolve, reject) => {
    request.open("POST", `/api/websites/${websiteId}/import`);
    request.setRequestHeader("Content-Type", "application/x-ndjson");
    for (const [name, value] of Object.entries(openerHeaders())) request.setRequestHeader(name, value);
    // While the file is on its way, it is taken only as fast as it is written down. Browsers show nothing of the answer until then.
    request.upload.addEventListener("progress", ({ loaded, total }) => {
      if (loaded < total) report(loaded / total);
    });
    // The answer reports the rest, or all of a file that is small enough to be sent in one piece.
    request.addEventListener("progress", () => {
      const { done = 0, bytes = 0 } = linesOf(request.responseText).at(-1) ?? {};
      if (done > 0) report(bytes / file.size, done);
    });
    const cutOff = () =>
      reject(
        new ApiProblem({ status: 0, code: "OFFLINE", detail: "The connection was lost during the import. Import the same file again." }),
      );
    request.addEventListener("error", cutOff);
    request.addEventListener("abort", () => reject(new DOMException("The import was stopped.", "AbortError")));
    request.addEventListener("load", () => {
      const { result, problem } = request.status === 200 ? (linesOf(request.responseText).at(-1) ?? {}) : {};
      if (result) return resolve(result);
      if (request.status === 200 && !problem) return cutOff();
      const response = problem
        ? new Response(JSON.stringify(problem), { status: problem.status })
        : new Response(request.responseText, { status: request.status });
      readProblem(response).then(reject, reject);
    });
    options.signal.addEventListener("abort", () => request.abort());
    request.send(file);
  });
}

/** The whole lines so far; the last may still be coming. None when it is no answer of ours, but the page of a network that wants one to sign in first. */
function linesOf(text: string): Line[] {
  try {
    return text
      .slice(0, text.lastIndexOf("\n") + 1)
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Line);
  } catch {
    return [];
  }
}
