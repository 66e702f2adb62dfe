import { ROLES } from "@stet/contract";
import { z } from "zod";
import { DAY } from "#domain/time";

/** How long an invitation can be accepted, in milliseconds. */
export const INVITATION_MILLIS = 7 * DAY;

/** What a member can be made: everything but the owner, who is made by transfer only. */
export const ordinaryRole = z.enum(ROLES).exclude(["owner"], { error: "must be admin, editor, author or contributor" });
