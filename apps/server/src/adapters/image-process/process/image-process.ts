import { type FromProcess, type Job, MEMORY_BYTES, OUT_OF_MEMORY } from "../job.ts";

/**
 * The process that decodes images: one message in, one answer out. It is given no settings and no secrets, and whoever started it ends it
 * when a job takes too long.
 */
const MEMORY_CHECK_MILLIS = 20;

const tell = (message: FromProcess): void => void process.send!(message);

// Whoever started it finishes its requests first, and ends it then.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => {});
process.on("disconnect", () => process.exit());

try {
  const { inspect } = await import("./inspect.ts");
  const { makeVariant } = await import("./make-variant.ts");
  process.on("message", async ({ bytes, variant, edit }: Job) => {
    // libvips works on a thread of its own, so that this one can watch it.
    const watch = setInterval(() => {
      if (process.memoryUsage.rss() > MEMORY_BYTES) process.exit(OUT_OF_MEMORY);
    }, MEMORY_CHECK_MILLIS);
    const answer = await (variant ? makeVariant(bytes, variant, edit) : inspect(bytes));
    clearInterval(watch);
    tell({ answer });
  });
  tell({ ready: true });
} catch (error) {
  tell({ broken: String(error) });
}
