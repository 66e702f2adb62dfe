import { afterAll } from "vitest";

/** What a file of tests opens for all of them, closed or stopped after the last one. */
export function closedAtEnd<Opened extends { close(): Promise<void> } | { stop(): Promise<void> }>(opened: Opened): Opened {
  afterAll(() => ("close" in opened ? opened.close() : opened.stop()));
  return opened;
}
