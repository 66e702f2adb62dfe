import type { Plans } from "#domain/plans";
import type { Clock } from "#domain/time";
import type { ContentStores } from "#ports/content-stores";
import type { Keyring } from "#ports/keyring";
import type { Notices } from "#ports/notices";
import type { Platform } from "#ports/platform";
import type { ReaderNumbers } from "#ports/reader-numbers";
import type { Signals } from "#ports/signals";

/** The services of the read path. None of them writes content. */
export interface DeliveryServices {
  readonly platform: Platform;
  readonly contents: ContentStores;
  readonly keyring: Keyring;
  readonly readers: ReaderNumbers;
  readonly notices: Notices;
  readonly signals: Signals;
  readonly plans: Plans;
  readonly clock: Clock;
  /** Without a slash at the end. */
  readonly publicUrl: string;
}

// Words of the ports that the transport of the read path uses in its signatures.
export type { ContentState } from "#ports/platform";
export type { Signal } from "#ports/signals";
