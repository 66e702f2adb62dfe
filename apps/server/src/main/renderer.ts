import { Worker } from "node:worker_threads";
import { renderMarkdown } from "#domain/markdown/render";
import type { Rendering } from "#domain/post";
import type { Renderer } from "#domain/renderer";

/** Bodies up to this many characters render in a few milliseconds: sending them to a thread would cost more. */
const INLINE_CHARACTERS = 32 * 1024;

interface Waiting {
  readonly resolve: (rendering: Rendering) => void;
  readonly reject: (error: Error) => void;
}

/** Renders small bodies at once and large ones in a thread of their own, which starts when the first one comes. */
export function createRenderer(): { render: Renderer; close: () => Promise<void> } {
  const waiting = new Map<number, Waiting>();
  let thread: Worker | null = null;
  let lastId = 0;

  function start(): Worker {
    const started = new Worker(new URL("./render-thread.ts", import.meta.url));
    // The thread must not keep a stopping process alive.
    started.unref();
    started.on("message", ({ id, rendering }: { id: number; rendering: Rendering }) => {
      waiting.get(id)?.resolve(rendering);
      waiting.delete(id);
    });
    const lost = (error: Error) => {
      if (thread === started) thread = null;
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
    };
    started.on("error", lost);
    started.on("exit", (code) => lost(new Error(`The rendering thread ended with code ${code}.`)));
    return started;
  }

  return {
    render: async (markdown) => {
      if (markdown.length <= INLINE_CHARACTERS) return renderMarkdown(markdown);
      thread ??= start();
      const id = ++lastId;
      const rendering = new Promise<Rendering>((resolve, reject) => waiting.set(id, { resolve, reject }));
      thread.ref();
      thread.postMessage({ id, markdown });
      try {
        return await rendering;
      } finally {
        if (waiting.size === 0) thread?.unref();
      }
    },
    close: async () => {
      await thread?.terminate();
    },
  };
}
