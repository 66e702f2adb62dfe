import type { ReadRoute } from "#delivery/read-route";
import type { PublicRoute } from "./public-route.ts";
import { createRouter, type Match } from "../shared/router.ts";

/** A route with everything that is computed about it once. */
export interface DeliveryRoute {
  /** In counters; 0 is "no route". */
  readonly number: number;
  readonly path: string;
  /** The header `Allow`. */
  readonly allow: string;
  readonly methods: readonly string[];
  readonly readRoute: ReadRoute | null;
  /** Names of its query parameters. */
  readonly parameters: readonly string[];
  readonly publicRoute: PublicRoute | null;
}

/** The name under which requests to no route are counted. */
const NO_ROUTE = "(none)";

export function createRoutes(
  readRoutes: readonly ReadRoute[],
  publicRoutes: readonly PublicRoute[],
): { find(path: string): Match<DeliveryRoute> | null; names: readonly string[] } {
  const routes = [
    ...readRoutes.map((readRoute) => ({ path: readRoute.path, methods: ["GET", "HEAD"], readRoute, publicRoute: null })),
    ...publicRoutes.map((publicRoute) => ({ path: publicRoute.path, methods: publicRoute.methods, readRoute: null, publicRoute })),
  ].map((route, index): DeliveryRoute => ({
    ...route,
    number: index + 1,
    allow: [...route.methods, "OPTIONS"].join(", "),
    parameters: Object.keys(route.readRoute?.query ?? {}),
  }));
  return {
    find: createRouter(routes.map((value) => ({ path: value.path, value }))),
    names: [NO_ROUTE, ...routes.map((route) => route.path)],
  };
}
