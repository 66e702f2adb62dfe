import { type FieldError, LIMITS, type TermKind } from "@stet/contract";
import { z } from "zod";
import { invalid } from "#domain/failure";
import { isId, type MediaId, type TermId, type UserId } from "#domain/ids";
import { isSlug } from "#domain/slug";
import type { AuthorProfile } from "#domain/term";
import { httpUrl } from "../../kernel/inputs.ts";
import { idOf, type InWebsite } from "../../kernel/operation.ts";

export const termId = z.custom<TermId>(
  (value) => typeof value === "string" && (isId("category", value) || isId("tag", value) || isId("author", value)),
  { error: "must be the id of a category, tag or author" },
);

export const slugInput = z.string().refine(isSlug, `must be 1 to ${LIMITS.slugCharacters} of a-z, 0-9 and single dashes between them`);

/** A field that is left out stays as it is. */
export const profileInput = z
  .strictObject({ url: httpUrl.nullable(), avatarMediaId: idOf<MediaId>("media").nullable(), userId: idOf<UserId>("user").nullable() })
  .partial();

const NO_PROFILE: AuthorProfile = { url: null, avatarMediaId: null, userId: null };

/** The profile with the patch applied, after everything it names was found here. Only authors have one. */
export async function applyProfile(
  { content, website, services, workspace }: InWebsite,
  kind: TermKind,
  before: AuthorProfile | null,
  patch: z.infer<typeof profileInput> | undefined,
): Promise<AuthorProfile | null> {
  if (kind !== "author") {
    if (patch) throw invalid([{ field: "profile", message: "is only for authors" }]);
    return null;
  }
  const errors: FieldError[] = [];
  if (patch?.avatarMediaId) {
    const media = await content.media.get(website.id, patch.avatarMediaId);
    if (!media || media.deletedAt) errors.push({ field: "profile.avatarMediaId", message: "is not an image of this website" });
  }
  if (patch?.userId && !(await services.platform.members.role(workspace.id, patch.userId))) {
    errors.push({ field: "profile.userId", message: "is not a member of this workspace" });
  }
  if (errors.length > 0) throw invalid(errors);
  const profile = before ?? NO_PROFILE;
  return {
    url: patch?.url === undefined ? profile.url : patch.url,
    avatarMediaId: patch?.avatarMediaId === undefined ? profile.avatarMediaId : patch.avatarMediaId,
    userId: patch?.userId === undefined ? profile.userId : patch.userId,
  };
}
