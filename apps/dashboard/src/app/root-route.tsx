import { createRootRoute, Outlet } from "@tanstack/react-router";
import { NotFound } from "../ui/not-found.tsx";

export const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound });
