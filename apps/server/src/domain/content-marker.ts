import type { WebsiteId } from "#domain/ids";

/** Left in a customer's database: whose content lies there, and since which switch of its website's store. */
export interface ContentMarker {
  /** The install that writes there. */
  readonly installId: string;
  /** Where that install is reached: a clone of it has another address. */
  readonly publicUrl: string;
  readonly websiteId: WebsiteId;
  /** Rises with each switch of the website's store. */
  readonly epoch: number;
  /** Which indexes and fields the documents have. */
  readonly schemaVersion: number;
}

export type MarkerJudgement =
  /** Nobody's: it can be taken. */
  | { readonly kind: "none" }
  | { readonly kind: "ours" }
  /** Ours, with documents as a version before wrote them: they are brought up to date under a lease. */
  | { readonly kind: "older schema" }
  /** Reads go on, writes stop. The reason says why and what to do next. */
  | { readonly kind: "read only"; readonly because: MarkerFault; readonly reason: string };

type MarkerFault = "missing" | "unreadable" | "other install" | "other address" | "other website" | "newer epoch" | "newer schema";

export const newerSchemaWords = "This database was written by a newer version of Stet. Update this server.";

/** What a person can vouch for: the marker was lost, or the server moved, or was restored from a backup. */
const CONFIRMABLE: ReadonlySet<string> = new Set(["missing", "unreadable", "other address", "newer epoch"] satisfies MarkerFault[]);
/** The same for a database that is not in use, of which the marker says that it is this website's. */
const READABLE: ReadonlySet<string> = new Set(["other address", "newer epoch"] satisfies MarkerFault[]);

/** Nothing is written there before a person has seen to it, but its address can be kept, and where it is not in use its content fetched. */
export const isConfirmable = (judged: MarkerJudgement, isInUse: boolean): boolean =>
  judged.kind === "read only" && (isInUse ? CONFIRMABLE : READABLE).has(judged.because);

/** A database that is not in use is not confirmed: it may have what the copy here lacks, which a move there would overwrite. */
const WORDS: Readonly<Record<MarkerFault, (found: ContentMarker | null, isInUse: boolean) => string>> = {
  missing: () =>
    "The marker that says which website this database belongs to is missing. Someone may have emptied the database or restored another one. Check it, then confirm the database.",
  unreadable: (_, isInUse) =>
    `The marker that says which website this database belongs to cannot be read. Someone may have changed it. ${isInUse ? "Check the database, then confirm it." : "Use another database name."}`,
  "other install": (found) =>
    `This database belongs to another Stet server, at ${shown(found)}. Disconnect it there first, or use another database name.`,
  "other address": (found, isInUse) =>
    `This database is used by this server under another address, ${shown(found)}. If this is a copy of that server, use another database name. If the server has moved, ${isInUse ? "confirm its new address." : "you can fetch its content, then use an empty database."}`,
  "other website": () => "This database belongs to another website of this server. Use another database name.",
  "newer epoch": (_, isInUse) =>
    `This database is newer than this server's records. The server may have been restored from an older backup. ${isInUse ? "Confirm which copy is current." : "Fetch its content if you need it, then use an empty database."}`,
  "newer schema": () => newerSchemaWords,
};

/** The address comes from a database that is not ours: only its host is repeated, and only if it is one. */
function shown(found: ContentMarker | null): string {
  const host = URL.parse(found?.publicUrl ?? "")?.host ?? "";
  return /^[a-z0-9.:[\]-]{1,255}$/.test(host) ? host : "an unknown address";
}

/**
 * What a marker means to us. A database that is in use must have one; one that is about to be used may have none. An epoch behind ours is ours: the switch that raised it was recorded here, and the marker is written right after.
 */
export function judgeMarker(found: ContentMarker | "unreadable" | null, ours: ContentMarker, isInUse: boolean): MarkerJudgement {
  const refused = (because: MarkerFault): MarkerJudgement => ({
    kind: "read only",
    because,
    reason: WORDS[because](found === "unreadable" ? null : found, isInUse),
  });
  if (found === null) return isInUse ? refused("missing") : { kind: "none" };
  if (found === "unreadable") return refused("unreadable");
  // What nobody can vouch for comes first.
  if (found.installId !== ours.installId) return refused("other install");
  if (found.websiteId !== ours.websiteId) return refused("other website");
  if (found.schemaVersion > ours.schemaVersion) return refused("newer schema");
  if (found.publicUrl !== ours.publicUrl) return refused("other address");
  if (found.epoch > ours.epoch) return refused("newer epoch");
  return { kind: found.schemaVersion < ours.schemaVersion ? "older schema" : "ours" };
}

/**
 * Whether the content of the website still lay there when this was written. Epochs begin at 0, with the install, and each switch adds one:
 * under an odd one it lies in the customer's database. Whoever leaves a database in order writes the even one behind it, unless something
 * comes between: then we know from `returnedEpoch`, the one of the last return in order, that it was.
 */
export const wasLeftInUse = (found: ContentMarker, ours: ContentMarker, returnedEpoch: number | null): boolean =>
  found.epoch < ours.epoch && found.epoch % 2 === 1 && found.epoch + 1 !== returnedEpoch;
