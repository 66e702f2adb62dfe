import { HOUR, MINUTE } from "#domain/time";

/** Within this time one visitor of one post is one view. */
export const VISIT_MILLIS = 30 * MINUTE;

/** How long a view that could not be written yet is kept and tried again. */
export const LATEST_MILLIS = HOUR;

/** After this nobody can ask any more whether a visitor was counted: the latest view is older than that, and its half hour over. */
export const FORGET_MILLIS = 2 * HOUR;

/**
 * How long it is known what was read on which day. Nothing asks for more than 90 days and the 90 before them; so much more is kept that a
 * month can be held against the same one of last year.
 */
export const DAYS_KEPT = 400;

/** Distinct hosts of referrers kept for one website and day. */
export const MOST_REFERRERS = 500;
export const OTHER_REFERRERS = "other";

/** The UTC day of a moment, such as `2026-11-15`. */
export const dayOf = (moment: Date | number): string => new Date(moment).toISOString().slice(0, 10);
