import { fixedRoute } from "./fixed-route.ts";
import type { PublicRoute } from "./public-route.ts";
import { VIEW_SCRIPT } from "./view-script.ts";

/** `GET /v1/view.js`: counts views on pages without a build. Readers who share an address must not use up each other's requests: the bytes are ready. */
export const viewJsRoute = (): PublicRoute =>
  fixedRoute("/view.js", { kind: "text", contentType: "text/javascript; charset=utf-8", text: VIEW_SCRIPT }, { isLimitedElsewhere: true });
