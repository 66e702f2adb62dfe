import { TERM_KINDS } from "@stet/contract";
import { z } from "zod";
import { editInput } from "#domain/image-edit";
import type { MediaId, UserId } from "#domain/ids";
import type { Term } from "#domain/term";
import { moment, nameOf, lineOf, textOf } from "../../kernel/inputs.ts";
import { idOf, websiteId } from "../../kernel/operation.ts";
import { filenameInput } from "../../media/helpers/media-input.ts";
import { slugInput, termId } from "../../terms/helpers/term-input.ts";

/** Earlier states of things as they come from the content store, which may be a customer's: nothing is set back to what nobody could have saved. */

export const termState: z.ZodType<Term> = z.object({
  id: termId,
  websiteId,
  kind: z.enum(TERM_KINDS),
  version: z.int().positive(),
  slug: slugInput,
  name: nameOf(),
  description: textOf(2_000),
  profile: z
    .object({
      url: z.string().max(2_048).nullable(),
      avatarMediaId: idOf<MediaId>("media").nullable(),
      userId: idOf<UserId>("user").nullable(),
    })
    .nullable(),
  pastSlugs: z.array(slugInput).max(1_000),
  mergedInto: termId.nullable(),
  createdAt: moment,
  updatedAt: moment,
});

export const mediaState = z.object({
  filename: filenameInput,
  alt: lineOf(500),
  deletedAt: moment.nullable(),
  edit: editInput.nullable().default(null),
});
