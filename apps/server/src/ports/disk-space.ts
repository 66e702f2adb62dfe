import type { DiskReading } from "#domain/disk-space";

/** The disk that holds the data folder of this node. */
export interface DiskSpace {
  /** Whether the database lies there too. If not, only images can fill it. */
  readonly hasDatabase: boolean;
  /** How much is free; measured at most a second ago, or a tenth of one when there is little. */
  read(): Promise<DiskReading>;
  /** How much is free this moment. */
  measure(): Promise<DiskReading>;
  /**
   * The service calls this every few seconds: it logs a level that changed, keeps a reserve for the database while there is room,
   * and has the database remove what it can spare when there is little.
   */
  tend(): Promise<DiskReading>;
}
