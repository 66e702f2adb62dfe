import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { ERRORS, ROLES, SIGN_IN_ERRORS } from "@stet/contract";
import { type Permission, PERMISSIONS, toolMay } from "#domain/access";
import type { Command } from "./command.ts";
import { SETTINGS } from "./settings.ts";

const FOLDER = path.resolve(import.meta.dirname, "../../../../docs");

/** `stet docs`: the pages that come from code. With --check, exit code 1 when one of them is stale. */
export const docs: Command = async (args) => {
  const stale: string[] = [];
  for (const [name, content] of Object.entries(generatedPages())) {
    const file = path.join(FOLDER, name);
    if ((await readFile(file, "utf8").catch(() => null)) === content) continue;
    stale.push(`docs/${name}`);
    if (args.includes("--check")) continue;
    await mkdir(FOLDER, { recursive: true });
    await writeFile(file, content);
  }
  if (args.includes("--check") && stale.length > 0) {
    process.stderr.write(`Outdated: ${stale.join(", ")}. Regenerate them with: npm run stet -- docs\n`);
    return 1;
  }
  process.stdout.write(stale.length > 0 ? `Written: ${stale.join(", ")}\n` : "The generated pages are up to date.\n");
  return 0;
};

export function generatedPages(): Record<string, string> {
  return { "settings.md": settingsPage(), "errors.md": errorsPage(), "permissions.md": permissionsPage() };
}

function settingsPage(): string {
  return page(
    "Settings",
    "apps/server/src/main/settings.ts",
    "All settings are environment variables and all are optional. Every problem is listed at start. Those marked with * hold a secret: `NAME_FILE` names a file with the value instead, such as `DATABASE_URL_FILE=/run/secrets/database`.",
    ["setting", "when not set", "what it does"],
    Object.entries(SETTINGS).map(([name, { unset, about, holdsSecret }]) => [`\`${name}\`${holdsSecret ? " *" : ""}`, unset, about]),
  );
}

function errorsPage(): string {
  return page(
    "Errors",
    "packages/contract/src/errors.ts",
    "Every error answer is `application/problem+json` (RFC 9457) with one of these codes; `detail` says what to do next. Those of signing in come from the dashboard's own API (`/api/auth`) alone.",
    ["code", "status", "meaning"],
    [
      ...Object.entries(ERRORS).map(([code, { status, meaning }]) => [codeCell(code), String(status), meaning]),
      ...Object.entries(SIGN_IN_ERRORS).map(([code, { status, words }]) => [codeCell(code), `${status}, signing in`, words]),
    ],
  );
}

const codeCell = (code: string): string => `<a id="${code}"></a>\`${code}\``;

function permissionsPage(): string {
  const words = { any: "✓", none: "–" } as const;
  const rows = Object.entries(PERMISSIONS).map(([permission, reach]) => [
    `\`${permission}\``,
    ...ROLES.map((role) => (reach[role] in words ? words[reach[role] as keyof typeof words] : reach[role])),
    { yes: "✓", "with delete": "with *Allow deleting*", never: "never" }[toolMay(permission as Permission)],
  ]);
  return page(
    "Permissions",
    "apps/server/src/domain/access.ts",
    "What each role can do in a workspace. A connected app can do what its owner can, up to what the last column allows.",
    ["permission", ...ROLES, "connected app"],
    rows,
  );
}

function page(title: string, source: string, intro: string, head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [
    `# ${title}`,
    "",
    `<!-- Generated from ${source} by \`npm run stet -- docs\`. -->`,
    "",
    intro,
    "",
    line(head),
    `|${" --- |".repeat(head.length)}`,
    ...rows.map(line),
    "",
  ].join("\n");
}
