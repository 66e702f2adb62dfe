import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * The files that take longest, longest first: a long one that begins last would keep the run waiting with one worker at work.
 * `npm test` prints the ten slowest at its end; put one here that stands there and not here.
 */
const LONGEST: readonly string[] = [
  "test/dashboard/every-page.test.ts",
  "test/mongodb-content.test.ts",
  "test/dashboard/editor-writing.test.ts",
  "test/dashboard/posts.test.ts",
  "test/dashboard/editor-text.test.ts",
  "src/domain/markdown/hostile.test.ts",
  "test/dashboard/editor-publishing.test.ts",
  "test/dashboard/workspace-settings.test.ts",
  "test/dashboard/editor-paste.test.ts",
  "test/dashboard/account.test.ts",
  "test/dashboard/webhooks.test.ts",
  "test/dashboard/sign-out.test.ts",
  "test/dashboard/nothing-slips-away.test.ts",
  "test/dashboard/terms-and-media.test.ts",
  "test/dashboard/website-settings.test.ts",
  "test/dashboard/connected-apps.test.ts",
  "test/dashboard/first-run.test.ts",
  "src/adapters/embedded-postgres/open.test.ts",
  "src/main/serve.test.ts",
  "src/main/commands/commands.test.ts",
  "test/oauth/command-line.test.ts",
  "test/full-disk/full-disk.test.ts",
  "test/crash/database-kills.test.ts",
  "test/wrong-clock.test.ts",
  "test/crash/crash.test.ts",
  "test/webhooks/chaos.test.ts",
];

/** Vitest's own order knows how long a file took the last time; a fresh clone knows nothing, and there the list above helps. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification): number => {
      const index = LONGEST.findIndex((file) => moduleId.endsWith(file));
      return index === -1 ? LONGEST.length : index;
    };
    return sorted.toSorted((a, b) => rank(a) - rank(b));
  }
}
