import { openapiDocument } from "@stet/contract";
import { fixedRoute } from "./fixed-route.ts";
import type { PublicRoute } from "./public-route.ts";

/** `GET /v1/openapi.json`: the description of the API. */
export const openapiRoute = (publicUrl: string): PublicRoute =>
  fixedRoute("/openapi.json", { kind: "json", value: openapiDocument(publicUrl) });
