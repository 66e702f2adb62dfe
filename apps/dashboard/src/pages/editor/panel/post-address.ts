import type { Output } from "../../../api/wire.ts";

/** The address at which readers will find the post; without a public address of the website, its slug. */
export const addressOf = ({ settings }: Output<"get_website">, slug: string): string =>
  settings.publicUrl ? `${settings.publicUrl.replace(/^https?:\/\//, "")}/${slug}` : `/${slug}`;
