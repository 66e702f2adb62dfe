import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    // One file at a time on two cores: two would be quicker, but tests that kill processes then starved now and then.
    projects: [
      { test: { name: "contract", root: "packages/contract", include: ["src/**/*.test.ts"] } },
      { test: { name: "tools", root: "tools", include: ["*.test.ts"] } },
      { test: { name: "dashboard", root: "apps/dashboard", include: ["src/**/*.test.ts"], testTimeout: 30_000 } },
      {
        test: {
          name: "server",
          root: "apps/server",
          include: ["src/**/*.test.ts", "test/**/*.test.ts"],
          globalSetup: ["test/global-setup.ts"],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
