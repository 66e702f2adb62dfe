import { afterAll, vi } from "vitest";
import { findChromium } from "#test/chromium";
import { type DashboardNode, type DashboardNodeOptions, openDashboardNode } from "#test/dashboard-node";
import { withPart } from "#test/parts";
import { openBrowser, type TestBrowser } from "#test/test-browser";

interface Opened {
  readonly node: DashboardNode;
  readonly browser: TestBrowser;
}

/** What the browser files of one worker share: it runs them one after another, in one process. It ends with the worker. */
let shared: Promise<Opened> | null = null;

/**
 * The tests of one file on the dashboard's pages. Without options they share an installation with other files, so each test makes
 * its own tenant and changes nothing that others could see. With options the file has an installation of its own.
 */
export async function withDashboard(
  { isAlone = false, ...options }: DashboardNodeOptions & { /** For tests that need an empty installation. */ readonly isAlone?: boolean },
  tests: (node: DashboardNode, browser: TestBrowser) => void | Promise<void>,
): Promise<void> {
  // Each test is a journey through several pages, and the machine may be busy with others.
  vi.setConfig({ testTimeout: 120_000 });
  withPart("Chromium", findChromium(), async () => {
    const isShared = !isAlone && Object.keys(options).length === 0;
    const { node, browser } = isShared ? await (shared ??= open({})) : await open(options);
    afterAll(async () => {
      await browser.close({ lendable: !isShared });
      if (!isShared) await node.stop();
    });
    await tests(node, browser);
  });
}

async function open(options: DashboardNodeOptions): Promise<Opened> {
  const node = await openDashboardNode(options);
  return { node, browser: await openBrowser(node) };
}
