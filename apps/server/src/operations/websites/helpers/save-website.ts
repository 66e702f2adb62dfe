import type { Website } from "#domain/website";
import { versionConflict } from "../../kernel/version-conflict.ts";
import type { InWebsite } from "../../kernel/operation.ts";

/** Saves the next version of the website, or says that someone else was first. */
export async function saveWebsite({ services, website }: InWebsite, expected: number, change: Partial<Website>): Promise<Website> {
  const { websites } = services.platform;
  if (website.version !== expected) throw versionConflict("website", website.version);
  const next: Website = { ...website, ...change, version: website.version + 1 };
  if ((await websites.save(next)) === "saved") return next;
  throw versionConflict("website", (await websites.get(website.id))?.version ?? null);
}
