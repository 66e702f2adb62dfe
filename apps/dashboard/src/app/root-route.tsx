import { createRootRoute, Outlet } from "@tanstack/react-router";
import { NotFound } from "./fallbacks.tsx";

export const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound });
