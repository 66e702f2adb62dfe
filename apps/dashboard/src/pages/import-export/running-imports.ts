import type { QueryClient } from "@tanstack/react-query";
import { importWebsite, type ImportProgress, type ImportResult } from "../../api/import-website.ts";
import { keyedState } from "../../lib/keyed-state.ts";
import { ApiProblem } from "../../lib/problem.ts";
import { warnBeforeClose } from "../../lib/warn-before-close.ts";
import { toast } from "../../ui/toast.tsx";

export type ImportState =
  | { readonly step: "running"; readonly file: File; readonly progress: ImportProgress; readonly stop: () => void }
  | { readonly step: "done"; readonly file: File; readonly result: ImportResult | null; readonly problem: unknown };

const imports = keyedState<ImportState | undefined>(undefined);

/** The import of a website that runs in this tab, or what came of the last one. */
export const useImport = (websiteId: string): ImportState | undefined => imports.useValue(websiteId);

export async function startImport(client: QueryClient, website: { readonly id: string; readonly name: string }, file: File): Promise<void> {
  const abort = new AbortController();
  const show = (progress: ImportProgress) => imports.set(website.id, { step: "running", file, progress, stop: () => abort.abort() });
  show({ share: 0, lines: 0 });
  try {
    // The file is in this tab.
    const result = await warnBeforeClose(importWebsite(website.id, file, { onProgress: show, signal: abort.signal }));
    imports.set(website.id, { step: "done", file, result, problem: null });
  } catch (problem) {
    const soFar = problem instanceof ApiProblem ? (problem.facts["soFar"] as ImportResult | undefined) : undefined;
    imports.set(website.id, { step: "done", file, result: soFar ?? null, problem });
  }
  toastIfElsewhere(website, file);
  // Posts, terms, images, fields and numbers: all of it may be new.
  await client.invalidateQueries();
}

/** A person who stayed on the page sees the report there. */
function toastIfElsewhere({ id, name }: { readonly id: string; readonly name: string }, file: File): void {
  const state = imports.get(id);
  if (state?.step !== "done" || imports.isShown(id)) return;
  const where = `See Import and export of ${name}.`;
  if (state.problem === null) toast.ok(`${file.name} was imported. ${where}`);
  else toast.error(`${file.name} was not imported completely. ${where}`);
}
