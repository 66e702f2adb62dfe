import { createHash } from "node:crypto";
import { idFromBytes, type IdKind } from "#domain/ids";
import { slugFrom } from "#domain/slug";
import { type Timestamp, timestamp } from "#domain/time";

/** Before the first sample post: the publication sets up its terms and images. */
export const FOUNDED: Timestamp = timestamp(Date.UTC(2023, 9, 1, 8));

/** The same id for the same name in every website and every install: primary keys are per website. */
export const sampleId = <K extends IdKind>(kind: K, name: string, at: number = Date.parse(FOUNDED)) =>
  idFromBytes(kind, createHash("sha256").update(`stet sample ${kind} ${name}`).digest(), at);

export const termId = (kind: "category" | "tag" | "author", name: string) => sampleId(kind, slugFrom(name));
