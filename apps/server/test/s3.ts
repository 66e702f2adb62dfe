import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { builtPart, execute } from "#test/built-parts";
import { freePort } from "#test/free-port";
import type { Part } from "#test/parts";

/** A server that speaks S3 and has a bucket. */
export interface S3Server {
  /** As `MEDIA_URL` has it. `hostUrl` asks in the virtual-host style where the server knows it; its host is on this machine. */
  start(): Promise<{ readonly url: string; readonly hostUrl: string | null; readonly stop: () => Promise<void> }>;
}

/** Another one, where somebody has it: `STET_TEST_S3=s3://KEY:SECRET@HOST/BUCKET`. */
export function givenS3(): Part<S3Server> | null {
  const url = process.env.STET_TEST_S3;
  return url ? { part: { start: async () => ({ url, hostUrl: null, stop: async () => {} }) }, detail: "at STET_TEST_S3" } : null;
}

/** versitygw over a folder, built once with Go. It checks signature, region and payload hash. */
export const versitygw = builtPart<S3Server>({
  name: "versitygw 1.8",
  source: path.join(import.meta.dirname, "s3-servers", "versitygw"),
  needs: "Go 1.25 or newer",
  async make(source, folder) {
    await execute("go", ["build", "-trimpath", "-o", path.join(folder, "versitygw"), "github.com/versity/versitygw/cmd/versitygw"], {
      cwd: source,
      env: { ...process.env, CGO_ENABLED: "0" },
      timeout: 15 * 60_000,
    });
  },
  use: (folder) => ({ start: () => startVersitygw(path.join(folder, "versitygw")) }),
});

async function startVersitygw(command: string) {
  const folder = await mkdtemp(path.join(tmpdir(), "stet-s3-"));
  await mkdir(path.join(folder, "files", "pictures"), { recursive: true });
  await mkdir(path.join(folder, "sidecar"));
  const port = await freePort();
  const args = ["--access", "KEY", "--secret", "SE/CRET+", "--region", "eu-test-1", "--port", `127.0.0.1:${port}`, "--quiet"];
  const domain = `s3.test:${port}`;
  const all = [...args, "--virtual-domain", domain, "posix", "--sidecar", path.join(folder, "sidecar"), path.join(folder, "files")];
  // It ends when our end of the pipe does: it cannot outlive the tests.
  const server = spawn("sh", ["-c", '"$@" & pid=$!; cat >/dev/null; kill $pid', "sh", command, ...all], {
    stdio: ["pipe", "ignore", "ignore"],
  });
  const ended = once(server, "exit");
  const stop = async () => {
    server.stdin.end();
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  for (let tries = 0; !(await answers(port)); tries++) {
    if (tries < 200) await delay(50);
    else {
      await stop();
      throw new Error(`versitygw did not start. Run it by hand to see why: ${command} ${all.join(" ")}`);
    }
  }
  const at = (host: string, style: string) => `s3+http://KEY:SE%2FCRET%2B@${host}/pictures?region=eu-test-1&style=${style}`;
  return { url: at(`127.0.0.1:${port}`, "path"), hostUrl: at(domain, "host"), stop };
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.on("connect", () => resolve(true));
    socket.on("error", () => resolve(false));
    socket.on("connect", () => socket.destroy());
  });
