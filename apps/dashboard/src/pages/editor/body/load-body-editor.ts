import { loadFiles } from "../../../api/load-files.ts";
import { ApiProblem } from "../../../lib/problem.ts";

/** The editor of the text is the heaviest part of the dashboard: it comes when a post is opened. */
export const loadBodyEditor = () =>
  loadFiles(() => import("../../../editor/body-editor.tsx")).catch((error: unknown) => {
    throw error instanceof ApiProblem ? error : new Error("The editor could not be loaded. Reload the page. Nothing you typed is lost.");
  });
