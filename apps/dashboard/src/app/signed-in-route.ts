import { createRoute, redirect } from "@tanstack/react-router";
import { installOptions, sessionOptions } from "../api/session.ts";
import { SignedInLayout } from "../shell/layouts.tsx";
import { queryClient } from "./query-client.ts";
import { root } from "./root-route.tsx";

/** Around everything that asks who is there. */
export const signedIn = createRoute({
  getParentRoute: () => root,
  id: "signed-in",
  async beforeLoad({ location }) {
    const session = await queryClient.ensureQueryData(sessionOptions);
    if (session) return;
    const { needsSetup } = await queryClient.ensureQueryData(installOptions);
    throw redirect({ to: "/sign-in", search: needsSetup || location.href === "/" ? {} : { next: location.href } });
  },
  component: SignedInLayout,
});
