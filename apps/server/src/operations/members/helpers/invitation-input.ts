import { ROLES } from "@stet/contract";
import { z } from "zod";
import { DAY } from "#domain/time";

/** How long an invitation can be accepted, in milliseconds. */
export const INVITATION_MILLIS = 7 * DAY;

/** The roles that a member can be given: all but owner, which is given by transfer only. */
export const ordinaryRole = z.enum(ROLES).exclude(["owner"], { error: "must be admin, editor, author or contributor" });
