import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { announceMissing, type Part, withPart } from "#test/parts";
import { BODY, SECRET, SIGNATURE_VECTORS, SIGNED_AT } from "./signature-vectors.ts";

const run = promisify(execFile);
const PAGE = path.resolve(import.meta.dirname, "../../../../docs/webhooks.md");

/** How a snippet is put into a program that prints "true" or "false" for a header, a file with the body, a secret and a time. */
interface Language {
  readonly fence: string;
  readonly file: string;
  readonly check: readonly [string, ...string[]];
  readonly command: (file: string) => readonly [string, ...string[]];
  program(snippet: string): string;
}

const LANGUAGES: Record<string, Language> = {
  Node: {
    fence: "js",
    file: "verify.mjs",
    check: [process.execPath, "--version"],
    command: (file) => [process.execPath, file],
    program: (snippet) =>
      `${snippet}\nimport { readFileSync } from "node:fs";\nconst [header, file, secret, now] = process.argv.slice(2);\nconsole.log(verify(header, readFileSync(file), secret, Number(now)));`,
  },
  Python: {
    fence: "python",
    file: "verify.py",
    check: ["python3", "--version"],
    command: (file) => ["python3", file],
    program: (snippet) =>
      `${snippet}\nimport sys\n_, header, file, secret, now = sys.argv\nprint(str(verify(header, open(file, "rb").read(), secret, float(now))).lower())`,
  },
  Go: {
    fence: "go",
    file: "verify.go",
    check: ["go", "version"],
    command: (file) => ["go", "run", file],
    program: (snippet) =>
      `${snippet.replace("package webhook", "package main").replace('"encoding/hex"', '"encoding/hex"\n\t"fmt"\n\t"os"')}
func main() {
	body, _ := os.ReadFile(os.Args[2])
	now, _ := strconv.ParseInt(os.Args[4], 10, 64)
	fmt.Println(Verify(os.Args[1], body, os.Args[3], time.Unix(now, 0)))
}`,
  },
  PHP: {
    fence: "php",
    file: "verify.php",
    check: ["php", "--version"],
    command: (file) => ["php", file],
    program: (snippet) => `${snippet}\necho verify($argv[1], file_get_contents($argv[2]), $argv[3], (int) $argv[4]) ? "true" : "false";`,
  },
};

async function found([program, ...args]: readonly [string, ...string[]]): Promise<Part<null>> {
  try {
    await run(program, args);
    return { part: null, detail: "" };
  } catch {
    return { missing: `there is no ${program} on this machine` };
  }
}

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "stet-snippets-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

for (const [name, language] of Object.entries(LANGUAGES)) {
  const part = await found(language.check);
  // Nobody has to have every language: a snippet is tried where its language is.
  if ("missing" in part) announceMissing(name, part.missing);
  else
    withPart(name, part, () => {
      test("the snippet for it takes our signatures and no others", async () => {
        const page = await readFile(PAGE, "utf8");
        const snippet = new RegExp(`\`\`\`${language.fence}\n([^]*?)\`\`\``).exec(page)![1]!;
        const file = path.join(folder, language.file);
        await writeFile(file, language.program(snippet));
        const bodyFile = path.join(folder, "body");
        await Promise.all([BODY, `${BODY} `].map((body, index) => writeFile(`${bodyFile}${index}`, body)));
        for (const { name: vector, header, body = BODY, later = 0, isGenuine } of SIGNATURE_VECTORS) {
          const [program, ...args] = language.command(file);
          const given = [header, `${bodyFile}${body === BODY ? 0 : 1}`, SECRET, String(SIGNED_AT + later)];
          expect([vector, (await run(program, [...args, ...given])).stdout.trim()]).toEqual([vector, String(isGenuine)]);
        }
      }, 120_000);
    });
}
