import { type Auth } from "#adapters/accounts/auth";
import { answerOf, expectedUserOf, sessionOf, startSession } from "#adapters/accounts/sessions";
import { createFindMediaFile } from "#delivery/media-file";
import { createPreview } from "#delivery/preview";
import { rememberFiles } from "#delivery/remembered-files";
import type { AttemptRules } from "#http/shared/attempts";
import { createDashboard } from "#http/dashboard/dashboard";
import { loadDashboard } from "#http/dashboard/dashboard-files";
import type { Sessions } from "#http/shared/sessions";
import { createSignUp } from "#operations/without-actor/sign-up";
import type { Services } from "#operations/kernel/services";
import { transportServices } from "#operations/kernel/transport-services";
import { createOpenInvitations } from "#operations/without-actor/open-invitations";
import { createSetup } from "#operations/without-actor/setup";
import type { Rates } from "#usage/rates/rates";
import manifest from "../../package.json" with { type: "json" };
import type { Config } from "./config.ts";
import { DASHBOARD_FOLDER } from "./dashboard-build.ts";

/** The dashboard, put together: the auth library on one side, the built files on the other. */
export function openDashboard(options: {
  config: Pick<Config, "trustedProxies" | "signups">;
  services: Services;
  auth: Auth;
  attempts?: AttemptRules;
  rates?: Rates;
}): ReturnType<typeof createDashboard> {
  const { config, services, auth, attempts, rates } = options;
  return createDashboard({
    services: transportServices(services),
    setup: createSetup(services),
    signUp: createSignUp(services),
    invitations: createOpenInvitations(services),
    mediaFiles: rememberFiles(createFindMediaFile(services), services.signals),
    readPreview: createPreview({ ...services, publicUrl: services.settings.publicUrl }),
    sessions: sessionsWith(auth),
    files: loadDashboard(DASHBOARD_FOLDER),
    install: { signups: config.signups, mail: services.mailer.isConfigured, version: manifest.version },
    trustedProxies: config.trustedProxies,
    ...(attempts && { attempts }),
    ...(rates && { rates }),
  });
}

export const sessionsWith = (auth: Auth): Sessions => ({
  handle: (request) => answerOf(auth, request),
  of: (headers) => sessionOf(auth, headers),
  expectedUser: (cookie) => expectedUserOf(auth, cookie),
  start: (userId, device) => startSession(auth, userId, device),
});
