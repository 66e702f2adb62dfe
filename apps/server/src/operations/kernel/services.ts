import type { HostedPlanName, PlanName } from "@stet/contract";
import type { Plans } from "#domain/plans";
import type { Renderer } from "#domain/renderer";
import type { Clock } from "#domain/time";
import type { Website } from "#domain/website";
import type { Accounts } from "#ports/accounts";
import type { Connections } from "#ports/connections";
import type { ContentStore } from "#ports/content-store";
import type { DiskSpace } from "#ports/disk-space";
import type { Fetcher } from "#ports/fetcher";
import type { ImageProcessor } from "#ports/image-processor";
import type { ImageStores } from "#ports/image-store";
import type { Keyring, Seals } from "#ports/keyring";
import type { Mailer } from "#ports/mailer";
import type { Notices } from "#ports/notices";
import type { OauthRecords } from "#ports/oauth-records";
import type { Platform } from "#ports/platform";
import type { ReaderNumbers } from "#ports/reader-numbers";
import type { Sender } from "#ports/sender";
import type { Signals } from "#ports/signals";
import type { VariantFiles } from "#ports/variant-files";
import type { Webhooks } from "#ports/webhooks";
import type { ActivityLines } from "./activity-lines.ts";

/** Everything operations reach the world through. Composed once, in main. */
export interface Services {
  readonly platform: Platform;
  readonly activityLines: ActivityLines;
  /** The store that holds this website's content: the install's own, or the customer's. */
  contentOf(website: Pick<Website, "id">): ContentStore;
  /** Every store there is, for sweeps. */
  contentStores(): readonly ContentStore[];
  readonly accounts: Accounts;
  readonly images: ImageStores;
  /** Decodes images. */
  readonly imageProcessor: ImageProcessor;
  readonly variantFiles: VariantFiles;
  /** Of the data folder. */
  readonly disk: DiskSpace;
  readonly keyring: Keyring;
  readonly seals: Seals;
  readonly signals: Signals;
  readonly readers: ReaderNumbers;
  readonly webhooks: Webhooks;
  /** Connected tools and what they did. */
  readonly connections: Connections;
  /** The records of the authorisation server. */
  readonly oauthRecords: OauthRecords;
  /** The only ways to an address that a customer gave: to tell it something, and to read from it. */
  readonly sender: Sender;
  readonly fetcher: Fetcher;
  readonly notices: Notices;
  readonly mailer: Mailer;
  readonly render: Renderer;
  readonly clock: Clock;
  readonly plans: Plans;
  readonly settings: {
    /** The plan a new workspace starts on. */
    readonly defaultPlan: HostedPlanName;
    /** The plan of the workspace that sets the install up: by the setup link, or by `bootstrap` on an empty install. */
    readonly firstPlan: PlanName;
    /** The one who changes plans: the owner in the dashboard, or the operator on the command line. */
    readonly planChanges: "owner" | "operator";
    /** Where people reach the dashboard, without a slash at the end. */
    readonly publicUrl: string;
  };
  /** How far a job is that people may want to follow in the log. */
  onProgress(message: string): void;
  /** Reports an error behind an answer that was given all the same (a sweep finishes it). */
  onTrouble(message: string, error: unknown): void;
}
