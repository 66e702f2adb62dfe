import { lazyRouteComponent } from "@tanstack/react-router";
import { loadFiles } from "../api/load-files.ts";

/** A page comes when it is opened. Without a connection the one that is open stays: what was typed there is not thrown away by loading anew. */
export const lazyPage: typeof lazyRouteComponent = (load, name) => lazyRouteComponent(() => loadFiles(load), name);
