import type { Output } from "../../../api/wire.ts";

/** Where readers will find the post; without a public address, its slug. */
export const addressOf = ({ settings }: Output<"get_website">, slug: string): string =>
  settings.publicUrl ? `${settings.publicUrl.replace(/^https?:\/\//, "")}/${slug}` : `/${slug}`;
