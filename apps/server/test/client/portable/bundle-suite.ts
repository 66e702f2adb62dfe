import path from "node:path";
import { rolldown } from "rolldown";

const HERE = import.meta.dirname;
const CLIENT = path.resolve(HERE, "../../../../../packages/client");
/** The files with the tests, as they run in Node with vitest. */
const SUITE = [
  path.join(HERE, "../real-service.test.ts"),
  path.join(CLIENT, "test/faults.test.ts"),
  path.join(CLIENT, "test/timing.test.ts"),
  path.join(CLIENT, "test/webhook.test.ts"),
];
/** What stands for vitest, and for what only Node can do. */
const INSTEAD: Readonly<Record<string, string>> = {
  vitest: path.join(HERE, "vitest.ts"),
  "./scripted-server.ts": path.join(HERE, "over-http.ts"),
  "./suite-blog.ts": path.join(HERE, "over-http.ts"),
};

/** The client's suite as one module without imports; its `runAll` answers how many tests held, and what did not. */
export async function bundleSuite(control: string, format: "es" | "iife"): Promise<string> {
  const bundle = await rolldown({
    input: "suite",
    cwd: HERE,
    // The client says that its modules do nothing by themselves; those with tests do.
    treeshake: false,
    transform: { define: { CONTROL: JSON.stringify(control) } },
    plugins: [
      {
        name: "suite",
        resolveId: (id) => (id === "suite" ? path.join(HERE, "suite.js") : (INSTEAD[id] ?? null)),
        load: (id) =>
          id.endsWith("/suite.js")
            ? [...SUITE.map((file) => `import ${JSON.stringify(file)};`), 'export { runAll } from "vitest";'].join("\n")
            : null,
      },
    ],
  });
  const { output } = await bundle.generate({ format, name: "suite" });
  await bundle.close();
  return output[0].code;
}
