import { ApiProblem } from "../lib/problem.ts";
import { openerHeaders } from "./opened-by.ts";
import { readProblem } from "./read-problem.ts";
import type { Output } from "./wire.ts";

/** Sends an image, and tells how far it is (0 to 1): `fetch` cannot say that, `XMLHttpRequest` can. */
export function uploadMedia(
  websiteId: string,
  file: File,
  options: { alt?: string; onProgress?: (share: number) => void; signal?: AbortSignal } = {},
): Promise<Output<"add_media">> {
  const query = new URLSearchParams({ fileName: file.name || "image", ...(options.alt && { alt: options.alt }) });
  const request = new XMLHttpRequest();
  return new Promise((resolve, reject) => {
    request.open("POST", `/api/websites/${websiteId}/media?${query}`);
    request.setRequestHeader("Content-Type", file.type || "application/octet-stream");
    for (const [name, value] of Object.entries(openerHeaders())) request.setRequestHeader(name, value);
    request.upload.addEventListener("progress", ({ loaded, total }) => options.onProgress?.(total > 0 ? loaded / total : 0));
    request.addEventListener("error", () =>
      reject(new ApiProblem({ status: 0, code: "OFFLINE", detail: "The upload was interrupted. Check your connection and try again." })),
    );
    request.addEventListener("abort", () => reject(new DOMException("The upload was stopped.", "AbortError")));
    request.addEventListener("load", () => {
      const answer = new Response(request.responseText, { status: request.status });
      if (!answer.ok) return void readProblem(answer).then(reject, reject);
      // An answer that cannot be read is the page of a network that wants one to sign in first.
      const unreadable = {
        status: 0,
        code: "UNREADABLE",
        detail: "The server did not respond. Check your connection and try again.",
      } as const;
      answer
        .json()
        .then(({ data }: { data: Output<"add_media"> }) => resolve(data))
        .catch(() => reject(new ApiProblem(unreadable)));
    });
    options.signal?.addEventListener("abort", () => request.abort());
    request.send(file);
  });
}
