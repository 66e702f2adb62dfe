import { afterAll, vi } from "vitest";
import { findChromium } from "#test/chromium";
import { type DashboardNode, type DashboardNodeOptions, openBrowser, openDashboardNode, type TestBrowser } from "#test/dashboard-node";
import { withPart } from "#test/parts";

/** The tests of one file on the pages of a node of its own. Node and browser are there once, and closed after the last test. */
export async function withDashboard(
  options: DashboardNodeOptions,
  tests: (node: DashboardNode, browser: TestBrowser) => void | Promise<void>,
): Promise<void> {
  // Each test is a journey through several pages, and the machine may be busy with others.
  vi.setConfig({ testTimeout: 120_000 });
  withPart("Chromium", await findChromium(), async (launch) => {
    const node = await openDashboardNode(options);
    afterAll(() => node.stop());
    const browser = await openBrowser(node, launch);
    afterAll(() => browser.close());
    await tests(node, browser);
  });
}
