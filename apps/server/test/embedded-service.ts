import { openEmbeddedPostgres } from "#adapters/embedded-postgres/open";

/** A process that uses the embedded PostgreSQL until it is told to stop, for tests that kill it. Run as a program. */
const [folder, role] = process.argv.slice(2);
if (!folder || (role !== "service" && role !== "command")) throw new Error("usage: embedded-service.ts FOLDER service|command");
try {
  const server = await openEmbeddedPostgres({ folder, role });
  process.once("SIGTERM", () => void server.close().then(() => process.exit(0)));
  // Last: whoever reads this may stop us at once.
  process.stdout.write(`${server.found}\n`);
  setInterval(() => {}, 60_000);
} catch (error) {
  process.stdout.write(`refused: ${(error as Error).message}\n`);
  process.exit(1);
}
