import { lazyRouteComponent } from "@tanstack/react-router";
import { loadFiles } from "../api/load-files.ts";

/** Loads a page when it is opened. Without a connection the open page stays, with the text typed there: the document is not reloaded. */
export const lazyPage: typeof lazyRouteComponent = (load, name) => lazyRouteComponent(() => loadFiles(load), name);
