import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What is used of axe in the page. Its list of rules is not in its types: it says how grave the findings of each are. */
interface Axe {
  readonly _audit: { readonly rules: readonly { readonly id: string; readonly impact: string }[] };
  run(options: object): Promise<AxeResults>;
}

/**
 * The page as it stands has no serious or critical finding of axe. Call it when what is to be looked at is shown: it does
 * not wait for anything. `onlyRules` asks for less: what another look at the same page has not shown already.
 */
export async function expectNoSeriousFindings(page: Page, onlyRules?: readonly string[]): Promise<void> {
  // Through the debugger: the page's own policy lets no script in, and stays as it is for people.
  if (!(await page.evaluate<boolean>("'axe' in globalThis"))) await page.evaluate(AXE);
  const violations = await page.evaluate(async (only) => {
    const { axe } = globalThis as unknown as { axe: Axe };
    // Nearly a third of the rules can find nothing serious, and nothing else is counted here.
    const harmless = axe._audit.rules.filter(({ impact }) => impact !== "serious" && impact !== "critical");
    const rules = Object.fromEntries(harmless.map(({ id }) => [id, { enabled: false }]));
    const { violations: found } = await axe.run({ resultTypes: ["violations"], ...(only ? { runOnly: [...only] } : { rules }) });
    return found;
  }, onlyRules);
  const findings = violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(
      ({ id, help, nodes }) => `${id}: ${help}\n${nodes.map(({ html, failureSummary }) => `  ${html}\n  ${failureSummary}`).join("\n")}`,
    );
  expect(findings, new URL(page.url()).pathname).toEqual([]);
}
