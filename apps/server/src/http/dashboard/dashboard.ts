import type { MediaFiles } from "#delivery/remembered-files";
import type { ReadPreview } from "#delivery/preview";
import type { SignUp } from "#operations/without-actor/sign-up";
import type { TransportServices } from "#operations/kernel/transport-services";
import type { OpenInvitations } from "#operations/without-actor/open-invitations";
import type { Setup } from "#operations/without-actor/setup";
import { createClientAddress } from "../shared/client-address.ts";
import type { Handler, Route } from "../dispatcher.ts";
import { API_PATH, createApi } from "./api.ts";
import { ATTEMPTS, type AttemptRules, createAttempts } from "../shared/attempts.ts";
import { authRoutes } from "./auth.ts";
import { type DashboardFiles } from "./dashboard-files.ts";
import { type InstallFacts, installRoute } from "./install.ts";
import { invitationRoutes } from "./invitations.ts";
import { createKnownDevices } from "./known-device.ts";
import { createMedia, MEDIA_PATH } from "./media.ts";
import { createDashboardPage } from "./dashboard-page.ts";
import { createPreviewPage, PREVIEW_PATH } from "./preview-page.ts";
import { rpcRoute } from "./rpc.ts";
import { sessionRoute } from "./session.ts";
import type { Sessions } from "../shared/sessions.ts";
import { setupRoute } from "./setup.ts";
import { signUpRoutes } from "./sign-up.ts";
import { createRates, type Rates } from "#usage/rates/rates";
import { exportRoute, importRoute } from "./transfer.ts";
import { uploadRoute } from "./upload.ts";

export interface DashboardOptions {
  readonly services: TransportServices;
  readonly setup: Setup;
  readonly signUp: SignUp;
  readonly invitations: OpenInvitations;
  readonly mediaFiles: MediaFiles;
  readonly readPreview: ReadPreview;
  readonly sessions: Sessions;
  readonly files: DashboardFiles;
  readonly install: InstallFacts;
  /** Whose `X-Forwarded-For` is believed (STET_TRUST_PROXY). */
  readonly trustedProxies: true | readonly string[];
  /** Tests that sign in often, or want to be refused soon, have rules of their own. */
  readonly attempts?: AttemptRules;
  /** The buckets that are shared with other nodes; without, this node counts for itself. */
  readonly rates?: Rates;
}

/** The dashboard's side of HTTP: its private API, its files and its one page. */
export function createDashboard(options: DashboardOptions): {
  readonly routes: readonly Route[];
  /** For whatever no route answers: the page where a browser asks for one, else `next`. */
  fallback(next: Handler): Handler;
} {
  const { services, sessions, files, rates = createRates() } = options;
  const { publicUrl } = services.settings;
  const attempts = createAttempts("sign-in", options.attempts ?? ATTEMPTS, rates);
  const clientAddress = createClientAddress(options.trustedProxies);
  const guarded = { ...options, attempts, clientAddress, rates };
  const api = createApi(
    [
      rpcRoute(guarded),
      sessionRoute(services, sessions),
      installRoute(options.setup, options.install),
      setupRoute(guarded),
      ...invitationRoutes(guarded),
      ...(options.install.signups === "open" && options.install.mail ? signUpRoutes(guarded) : []),
      uploadRoute(services, sessions),
      exportRoute(services, sessions),
      importRoute(services, sessions),
      ...authRoutes({ sessions, attempts, devices: createKnownDevices(services), clientAddress, publicUrl, rates }),
    ],
    publicUrl,
  );
  return {
    routes: [
      { path: API_PATH, handle: api },
      { path: MEDIA_PATH, handle: createMedia(options.mediaFiles), bare: true },
      { path: PREVIEW_PATH, handle: createPreviewPage(options.readPreview) },
    ],
    fallback: (next) => createDashboardPage(files, publicUrl, next),
  };
}
