import { availableParallelism } from "node:os";
import path from "node:path";
import { defineConfig } from "vitest/config";
import LongestFirst from "./tools/longest-first.ts";

/**
 * Importing everything anew for every file took a third of the time, and no module keeps anything a test could change. How soon a test
 * ends is no rule of it, and the machine may be busy with others.
 */
const shared = { isolate: false, testTimeout: 30_000 };

/** For the projects with generated inputs. */
const setupFiles = [path.join(import.meta.dirname, "tools/test-seed.ts")];

export default defineConfig({
  test: {
    // Tests mostly wait for a database or a browser: two files a core keep it busy.
    maxWorkers: 2 * availableParallelism(),
    sequence: { sequencer: LongestFirst },
    projects: [
      { test: { name: "contract", root: "packages/contract", include: ["src/**/*.test.ts"], ...shared } },
      { test: { name: "client", root: "packages/client", include: ["test/**/*.test.ts"], ...shared } },
      { test: { name: "cli", root: "packages/cli", include: ["test/**/*.test.ts"], setupFiles, ...shared } },
      { test: { name: "markdown", root: "packages/markdown", include: ["src/**/*.test.ts"], setupFiles, ...shared } },
      { test: { name: "tools", root: "tools", include: ["*.test.ts"], testTimeout: 30_000 } },
      { test: { name: "dashboard", root: "apps/dashboard", include: ["src/**/*.test.ts"], setupFiles, ...shared } },
      {
        test: {
          name: "server",
          root: "apps/server",
          include: ["src/**/*.test.ts", "test/**/*.test.ts"],
          globalSetup: ["test/global-setup.ts"],
          setupFiles,
          ...shared,
          // What is polled for comes soon, or never.
          expect: { poll: { timeout: 15_000 } },
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
