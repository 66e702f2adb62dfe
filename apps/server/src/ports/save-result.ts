/** "stale": somebody saved a newer version, or it is gone; nothing was written. */
export type SaveResult = "saved" | "stale";
