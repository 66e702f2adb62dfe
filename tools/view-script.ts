import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { rolldown } from "rolldown";

/**
 * Writes the script that `{origin}/v1/view.js` answers, from the view tracker of `@stet/client`; `--check` only tells whether it is up to date.
 * It is kept in the server's source, because the service runs without a build.
 */
const ROOT = path.resolve(import.meta.dirname, "..");
const FILE = path.join(ROOT, "apps/server/src/http/delivery/view-script.ts");

const bundle = await rolldown({ input: path.join(ROOT, "packages/client/src/view-script.ts") });
const { output } = await bundle.generate({ format: "iife", minify: true });
await bundle.close();
const written = `// Made from packages/client/src/view-script.ts by tools/view-script.ts: do not edit.\nexport const VIEW_SCRIPT = ${JSON.stringify(output[0].code)};\n`;
const oxfmt = path.join(ROOT, "node_modules/.bin/oxfmt");
const formatted = execFileSync(process.execPath, [oxfmt, `--stdin-filepath=${FILE}`], { input: written, encoding: "utf8" });

if (!process.argv.includes("--check")) writeFileSync(FILE, formatted);
else if (readFileSync(FILE, "utf8") !== formatted) {
  process.stderr.write("apps/server/src/http/delivery/view-script.ts is not what the client says. Run: npx node tools/view-script.ts\n");
  process.exitCode = 1;
}
