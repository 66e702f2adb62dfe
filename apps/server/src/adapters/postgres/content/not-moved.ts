import { raw } from "./sql.ts";

/**
 * For sweeps over all websites: what this store still has of one whose content moved away is an old copy, and stays as it is. The list is
 * short and read once for each question.
 */
export const NOT_MOVED = raw("website_id <> ALL (ARRAY(SELECT website_id FROM website_content WHERE moved))");
