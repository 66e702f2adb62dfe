import type { Rendering } from "#domain/post";

/** Renders a body. Asynchronous, because a very large one is rendered away from the thread that answers requests. */
export type Renderer = (markdown: string) => Promise<Rendering>;
