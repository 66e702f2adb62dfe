import { capital, formatBytes, spacedWords } from "./format.ts";
import { partName } from "./part-names.ts";
import { valueWords } from "./value-words.ts";

/** One line below an entry of the log, for people. */
export interface ActivityDetail {
  readonly name: string;
  readonly value: string;
}

type Show = (value: unknown) => string;

const eachPart: Show = (value) => (Array.isArray(value) ? value.map((key) => partName(String(key))).join(", ") : valueWords(value));
const bytes: Show = (value) => (typeof value === "number" ? formatBytes(value) : valueWords(value));
const seconds: Show = (value) => (value === 0 ? "off" : `${valueWords(value)} seconds`);
const orElse =
  (none: string): Show =>
  (value) =>
    value === null || (Array.isArray(value) && value.length === 0) ? none : valueWords(value);
const oneOf =
  (words: Readonly<Record<string, string>>): Show =>
  (value) =>
    words[String(value)] ?? valueWords(value);

/** Names for keys that say too little by themselves. Other keys are split into words. */
const NAMES: Readonly<Record<string, string | readonly [name: string, show: Show]>> = {
  allowDelete: "Can delete",
  at: "Scheduled for",
  bytes: ["Size", bytes],
  changed: ["Changed", eachPart],
  conflicts: "Skipped",
  connection: "App",
  contentType: "File type",
  debounceSeconds: ["Groups changes for", seconds],
  deliveryId: "Delivery",
  expiresAt: "Expires",
  failures: "Failures in a row",
  fields: ["Fields", orElse("none")],
  grantedBy: ["Acts for", orElse("a deleted account")],
  media: "Images",
  mergedInto: "Other id",
  into: "Merged into",
  masked: "Key",
  monthlyCap: ["Monthly cap", orElse("none")],
  origins: ["Allowed origins", orElse("any")],
  percent: ["Used", (value) => `${valueWords(value)} %`],
  previousOwnerId: "Previous owner",
  publishPerHour: "Publications and removals per hour",
  reach: ["Workspaces", oneOf({ all: "all", this: "this one" })],
  reason: [
    "Reason",
    oneOf({
      failures: "too many failures in a row",
      gone: "the receiver answered 410 Gone",
      "address proved": "the account’s email address was confirmed for the first time, so earlier connections ended",
    }),
  ],
  requestsPerMonth: "Requests per month",
  resend: "Resends missed deliveries",
  resent: "Resent",
  terms: "Categories, tags and authors",
  used: "Requests",
  was: "Previous status",
  workspaces: ["Workspaces", oneOf({ all: "all", one: "one" })],
};

/** The details of an entry in words. `previousRole` beside `role` is one line, from → to; unknown keys stay readable. */
export function activityDetails(details: Readonly<Record<string, unknown>>, targetLabel?: string): readonly ActivityDetail[] {
  // The name that a thing has now is not among the details of its renaming: the entry itself is called so.
  const all = "previousName" in details && targetLabel !== undefined ? { ...details, name: targetLabel } : details;
  return Object.entries(all).flatMap(([key, value]) => {
    const later = laterOf(key);
    if (value === "" || (later && later in all)) return [];
    const { name, show } = wordsOf(key);
    const before = all[previous(key)];
    return [{ name, value: before === undefined ? show(value) : `${show(before)} → ${show(value)}` }];
  });
}

function wordsOf(key: string): { name: string; show: Show } {
  const named = NAMES[key] ?? capital(spacedWords(key));
  return typeof named === "string" ? { name: named, show: valueWords } : { name: named[0], show: named[1] };
}

const previous = (key: string): string => `previous${capital(key)}`;
/** "role" for "previousRole". */
const laterOf = (key: string): string | undefined => (key.startsWith("previous") ? key.charAt(8).toLowerCase() + key.slice(9) : undefined);
