import { expect, test } from "vitest";
import { ERRORS, ROLES, SIGN_IN_ERRORS } from "@stet/contract";
import { PERMISSIONS } from "#domain/access";
import { generatedPages } from "./docs.ts";
import { SETTINGS } from "./settings.ts";

const pages = generatedPages();

test("every setting, error code and permission is on its page, once", () => {
  for (const [page, names] of [
    ["settings.md", Object.keys(SETTINGS)],
    ["errors.md", [...Object.keys(ERRORS), ...Object.keys(SIGN_IN_ERRORS)]],
    ["permissions.md", Object.keys(PERMISSIONS)],
  ] as const) {
    const rows = pages[page]!.split("\n").filter((line) => line.startsWith("| ") && line.includes("`"));
    expect(rows).toHaveLength(names.length);
    for (const [index, name] of names.entries()) expect(rows[index]).toContain(`\`${name}\``);
  }
});

test("a table has as many cells in every row as in its head", () => {
  for (const page of Object.values(pages)) {
    const cells = page
      .split("\n")
      .filter((line) => line.startsWith("|"))
      .map((line) => line.split(/(?<!\\)\|/).length);
    expect(new Set(cells).size).toBe(1);
  }
});

test("an error's page can be linked to by its code, as `type` of a problem does", () => {
  expect(pages["errors.md"]).toContain('<a id="SLUG_TAKEN"></a>');
});

test("the permission matrix has a column for every role and one for connected apps", () => {
  expect(pages["permissions.md"]).toContain(`| permission | ${ROLES.join(" | ")} | connected app |`);
  expect(pages["permissions.md"]).toMatch(/`post.delete` \| ✓ \| ✓ \| ✓ \| own \| – \| with \*Allow deleting\*/);
  expect(pages["permissions.md"]).toMatch(/`key.manage` \| ✓ \| ✓ \| – \| – \| – \| never/);
});
