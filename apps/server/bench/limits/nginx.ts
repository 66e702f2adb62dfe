import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "#test/free-port";

const PATIENCE_MILLIS = 5_000;

/** What nginx answered, and when, in seconds. */
export interface Logged {
  readonly at: number;
  readonly status: number;
}

/** nginx before the nodes, each asked in turn. Who asks is what the header `X-Client` says. */
export async function startNginx(folder: string, nodes: readonly string[]) {
  const port = await freePort();
  const log = path.join(folder, "access.log");
  const config = path.join(folder, "nginx.conf");
  await writeFile(
    config,
    `daemon off; master_process off; pid ${folder}/nginx.pid; error_log ${folder}/error.log;
     events { worker_connections 1024; }
     http {
       log_format answers '$msec $status $request_uri';
       access_log ${log} answers;
       ${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((kind) => `${kind}_temp_path ${folder}/${kind};`).join(" ")}
       upstream nodes { ${nodes.map((url) => `server ${new URL(url).host} max_fails=0;`).join(" ")} keepalive 64; }
       server {
         listen 127.0.0.1:${port};
         keepalive_requests 1000000;
         location / {
           proxy_pass http://nodes;
           proxy_http_version 1.1;
           proxy_set_header Connection "";
           proxy_set_header X-Forwarded-For $http_x_client;
         }
       }
     }`,
  );
  const child = spawn("nginx", ["-c", config, "-p", folder, "-e", `${folder}/error.log`], { stdio: "inherit" });
  const url = `http://127.0.0.1:${port}`;
  const answers = () =>
    fetch(`${url}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
  for (const until = Date.now() + PATIENCE_MILLIS; !(await answers()); await sleep(25)) {
    if (Date.now() > until || child.exitCode !== null) throw new Error("nginx did not start; is the package nginx installed?");
  }
  return {
    url,
    /** The answers to requests for this address. */
    async logged(address: string): Promise<Logged[]> {
      const lines = (await readFile(log, "utf8")).split("\n").map((line) => line.split(" "));
      return lines.flatMap(([at, status, asked]) => (asked === address ? [{ at: Number(at), status: Number(status) }] : []));
    },
    async stop() {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    },
  };
}
