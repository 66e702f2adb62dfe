import type { QueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { importWebsite, type ImportProgress, type ImportResult } from "../../api/import-website.ts";
import { ApiProblem } from "../../api/problem.ts";
import { toast } from "../../ui/toast.tsx";

export type ImportState =
  | { readonly step: "running"; readonly file: File; readonly progress: ImportProgress; readonly stop: () => void }
  | { readonly step: "done"; readonly file: File; readonly result: ImportResult | null; readonly problem: unknown };

/** By website. Kept beside the page, so that an import goes on while one looks at something else. */
const imports = new Map<string, ImportState>();
const listeners = new Map<string, Set<() => void>>();

function set(websiteId: string, state: ImportState): void {
  imports.set(websiteId, state);
  for (const listener of listeners.get(websiteId) ?? []) listener();
  const isRunning = [...imports.values()].some(({ step }) => step === "running");
  // The file is in this tab: closing it ends the import, so the browser asks.
  if (isRunning) window.addEventListener("beforeunload", askToStay);
  else window.removeEventListener("beforeunload", askToStay);
}

const askToStay = (event: BeforeUnloadEvent): void => event.preventDefault();

/** The import of a website that runs in this tab, or what came of the last one. */
export function useImport(websiteId: string): ImportState | undefined {
  return useSyncExternalStore(
    (listener) => {
      const mine = listeners.get(websiteId) ?? new Set();
      listeners.set(websiteId, mine.add(listener));
      return () => mine.delete(listener);
    },
    () => imports.get(websiteId),
  );
}

export async function startImport(client: QueryClient, website: { readonly id: string; readonly name: string }, file: File): Promise<void> {
  const abort = new AbortController();
  const show = (progress: ImportProgress) => set(website.id, { step: "running", file, progress, stop: () => abort.abort() });
  show({ share: 0, lines: 0 });
  try {
    const result = await importWebsite(website.id, file, { onProgress: show, signal: abort.signal });
    set(website.id, { step: "done", file, result, problem: null });
  } catch (problem) {
    const soFar = problem instanceof ApiProblem ? (problem.facts["soFar"] as ImportResult | undefined) : undefined;
    set(website.id, { step: "done", file, result: soFar ?? null, problem });
  }
  tellWhoIsElsewhere(website, file);
  // Posts, terms, images, fields and numbers: all of it may be new.
  await client.invalidateQueries();
}

/** Whoever stayed on the page sees the report there. */
function tellWhoIsElsewhere({ id, name }: { readonly id: string; readonly name: string }, file: File): void {
  const state = imports.get(id);
  if (state?.step !== "done" || (listeners.get(id)?.size ?? 0) > 0) return;
  const where = `See Import and export of ${name}.`;
  if (state.problem === null) toast.ok(`${file.name} is imported. ${where}`);
  else toast.error(`${file.name} was not imported completely. ${where}`);
}
