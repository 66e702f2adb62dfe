import type { HostedPlanName, PlanName } from "@stet/contract";
import type { Plans } from "#domain/plans";
import type { Renderer } from "#domain/renderer";
import type { Clock } from "#domain/time";
import type { Accounts } from "#ports/accounts";
import type { Connections } from "#ports/connections";
import type { ContentStores } from "#ports/content-stores";
import type { DiskSpace } from "#ports/disk-space";
import type { Fetcher } from "#ports/fetcher";
import type { ImageProcessor } from "#ports/image-processor";
import type { ImageStores } from "#ports/image-store";
import type { Keyring, Seals } from "#ports/keyring";
import type { Mailer } from "#ports/mailer";
import type { Notices } from "#ports/notices";
import type { OauthRecords } from "#ports/oauth-records";
import type { OwnDatabases } from "#ports/own-databases";
import type { OwnImages } from "#ports/own-images";
import type { Platform } from "#ports/platform";
import type { ReaderNumbers } from "#ports/reader-numbers";
import type { Sender } from "#ports/sender";
import type { Signals } from "#ports/signals";
import type { VariantFiles } from "#ports/variant-files";
import type { Webhooks } from "#ports/webhooks";
import type { ActivityLines } from "./activity-lines.ts";
import type { WriteLines } from "./write-lines.ts";

/** Everything operations reach the world through. Composed once, in main. */
export interface Services {
  readonly platform: Platform;
  readonly activityLines: ActivityLines;
  /** Where the content of websites lies. */
  readonly contents: ContentStores;
  readonly accounts: Accounts;
  readonly images: ImageStores;
  /** Opens the stores that websites' owners name. */
  readonly ownImages: OwnImages;
  /** Opens the databases that websites' owners name. */
  readonly ownDatabases: OwnDatabases;
  /** Decodes images. */
  readonly imageProcessor: ImageProcessor;
  readonly variantFiles: VariantFiles;
  /** Of the data folder. */
  readonly disk: DiskSpace;
  readonly keyring: Keyring;
  readonly seals: Seals;
  readonly signals: Signals;
  /** Where writes wait for their turn. */
  readonly lines: WriteLines;
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
    /** Where this server's connections come from, as its operator says. */
    readonly outgoingAddresses: readonly string[];
  };
  /** How far a job is that people may want to follow in the log. */
  onProgress(message: string): void;
  /** Reports an error behind an answer that was given all the same (a sweep finishes it). */
  onTrouble(message: string, error: unknown): void;
}
