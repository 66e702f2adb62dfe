import { runBootstrap } from "#main/commands/bootstrap";
import { openInstallation } from "#main/compose";
import { readConfig } from "#main/config";
import { createLog } from "#main/log";

/** A website without posts, whose owner uploads. */
const installation = await openInstallation(readConfig(), createLog("warn", process.stderr), { role: "service", report: () => {} });
try {
  const { userId, websiteId } = await runBootstrap(
    installation.services,
    {
      email: "bench@example.com",
      password: "a password for the bench",
      workspace: "Bench",
      website: "Images",
      plan: "team",
      posts: 0,
      json: true,
    },
    (message) => void process.stderr.write(`${message}\n`),
  );
  process.send?.({ userId, websiteId });
} finally {
  await installation.close();
}
process.disconnect?.();
