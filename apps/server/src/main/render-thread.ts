import { parentPort } from "node:worker_threads";
import { renderMarkdown } from "#domain/markdown/render";

/** The thread that renders large bodies: one message in, one rendering out. */
parentPort!.on("message", ({ id, markdown }: { id: number; markdown: string }) => {
  parentPort!.postMessage({ id, rendering: renderMarkdown(markdown) });
});
