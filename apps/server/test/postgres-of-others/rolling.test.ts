import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { processesOn, type ServeProcess } from "#test/delivery-api/processes";
import { freePort } from "#test/free-port";
import { withPart } from "#test/parts";
import { openTestDatabase } from "#test/postgres";
import { nginx } from "./programs.ts";

const DOCS = path.resolve(import.meta.dirname, "../../../../docs/running.md");
const SECRET = "a secret that both machines share in this trial";
const PLANS = { team: { requestsPerMonth: 1_000_000_000, ratePerSecond: 1_000_000, burst: 1_000_000 } };
const ACCOUNT = { email: "rolling@example.com", password: "a password for this trial" };

/** The two blocks as the docs print them, with the addresses of here. */
async function configFor(port: number, nodes: readonly number[], folder: string): Promise<string> {
  const blocks = [...(await readFile(DOCS, "utf8")).matchAll(/```nginx\n([^`]*)```/g)].map(([, block]) => block!);
  const location = blocks.find((block) => block.includes("location /"))!.replace("http://127.0.0.1:4000", "http://stet");
  const upstream = nodes.reduce(
    (block, node, nth) => block.replace(`10.0.0.${nth + 1}:4000`, `127.0.0.1:${node}`),
    blocks.find((block) => block.includes("upstream"))!,
  );
  return `daemon off; pid ${folder}/pid; error_log ${folder}/error.log; events {}
http { access_log off; ${upstream} server { listen 127.0.0.1:${port}; ${location} } }`;
}

/** Two whole services are replaced while others wait for the processor: only with STET_SOAK=1. */
if (process.env["STET_SOAK"])
  withPart(nginx.name, nginx.find(), (program) => {
    let proxy: ChildProcess;
    let folder: string;
    let processes: Awaited<ReturnType<typeof processesOn>>;
    let nodes: ServeProcess[];
    let origin: string;
    const database = openTestDatabase();

    beforeAll(async () => {
      folder = await mkdtemp(path.join(tmpdir(), "stet-nginx-"));
      const port = await freePort();
      origin = `http://127.0.0.1:${port}`;
      processes = await processesOn({ databaseUrl: (await database).url, secret: SECRET, plans: PLANS, publicUrl: origin });
      nodes = [await processes.start(), await processes.start()];
      const config = path.join(folder, "nginx.conf");
      await writeFile(
        config,
        await configFor(
          port,
          nodes.map((node) => node.port),
          folder,
        ),
      );
      proxy = spawn(program, ["-p", folder, "-c", config], { stdio: "ignore" });
    });
    afterAll(async () => {
      proxy.kill("SIGTERM");
      await once(proxy, "exit");
      await processes.close();
      await (await database).close();
      await rm(folder, { recursive: true, force: true });
    });

    test("both machines are replaced under load, behind nginx as the docs print it: no request fails", { timeout: 240_000 }, async () => {
      await expect
        .poll(() =>
          fetch(`${origin}/readyz`).then(
            ({ status }) => status,
            () => 0,
          ),
        )
        .toBe(200);
      const names = ["--email", ACCOUNT.email, "--password", ACCOUNT.password, "--workspace", "Rolling", "--website", "Rolling"];
      const made = JSON.parse(await processes.command("bootstrap", ...names, "--plan", "team", "--posts", "3", "--json")) as {
        websiteId: string;
        apiKey?: string;
        key?: string;
      };
      const post = (address: string, body: object, cookie = "") =>
        fetch(origin + address, {
          method: "POST",
          headers: { "Content-Type": "application/json", Origin: origin, Cookie: cookie },
          body: JSON.stringify(body),
        });
      const signedIn = await post("/api/auth/sign-in/email", ACCOUNT);
      const cookie = signedIn.headers
        .getSetCookie()
        .map((each) => each.slice(0, each.indexOf(";")))
        .join("; ");
      const call = (operation: string, input: object) => post(`/api/rpc/${operation}`, { websiteId: made.websiteId, ...input }, cookie);

      const counts = { reads: 0, saves: 0 };
      const failed: string[] = [];
      let stopped = false;
      const readAgain = async (nth: number): Promise<void> => {
        const path = `/v1/blog/posts?limit=${1 + (nth % 50)}`;
        const answer = await fetch(origin + path, { headers: { Authorization: `Bearer ${made.apiKey}` } }).catch((error: Error) => error);
        counts.reads += 1;
        if (answer instanceof Error || answer.status !== 200)
          failed.push(`read: ${answer instanceof Error ? answer.message : answer.status}`);
        else await answer.arrayBuffer();
      };
      const draft = ((await (await call("create_post", { title: "Draft" })).json()) as { data: { id: string; version: number } }).data;
      const saveAgain = async (nth: number): Promise<void> => {
        const input = { postId: draft.id, expectedVersion: draft.version, body: `Text ${nth}`, autosave: true };
        const answer = await call("edit_post", input).catch((error: Error) => error);
        counts.saves += 1;
        if (answer instanceof Error || answer.status !== 200)
          failed.push(`save: ${answer instanceof Error ? answer.message : `${answer.status} ${await answer.text()}`}`);
        else draft.version = ((await answer.json()) as { data: { version: number } }).data.version;
      };
      const until = async (work: (nth: number) => Promise<void>) => {
        for (let nth = 0; !stopped; nth++) await work(nth);
      };
      const load = Promise.all([until(readAgain), until(readAgain), until(readAgain), until(saveAgain)]);
      for (const [nth, node] of nodes.entries()) {
        await node.stop();
        nodes[nth] = await processes.start(node.port);
      }
      stopped = true;
      await load;
      expect(failed).toEqual([]);
      expect(Math.min(counts.reads, counts.saves)).toBeGreaterThan(20);
      console.info(`Replaced both machines: ${counts.reads} reads and ${counts.saves} saves, none failed.`);
    });
  });
else test.skip("both machines are replaced under load behind nginx (STET_SOAK=1)", () => {});
