import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { builtPart, execute } from "#test/built-parts";
import { freePort } from "#test/free-port";
import type { Part } from "#test/parts";

/** A server that speaks S3 and has a bucket. */
export interface S3Server {
  /** What it does not look at, though S3 does. */
  readonly ignores: readonly ("region" | "bucket")[];
  /** As `MEDIA_URL` has it. `hostUrl` asks in the virtual-host style where the server knows it; its host is on this machine. */
  start(): Promise<{ readonly url: string; readonly hostUrl: string | null; readonly stop: () => Promise<void> }>;
}

/** Another one, where somebody has it: `STET_TEST_S3=s3://KEY:SECRET@HOST/BUCKET`. */
export function givenS3(): Part<S3Server> | null {
  const url = process.env.STET_TEST_S3;
  return url
    ? { part: { ignores: [], start: async () => ({ url, hostUrl: null, stop: async () => {} }) }, detail: "at STET_TEST_S3" }
    : null;
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
  use: (folder) => ({ ignores: [], start: () => startVersitygw(path.join(folder, "versitygw")) }),
});

/** s3s-fs over a folder, from cargo: another reading of the protocol, for long runs. It takes any region, and makes buckets. */
export const s3sFs = builtPart<S3Server>({
  name: "s3s-fs 0.14",
  source: path.join(import.meta.dirname, "s3-servers", "s3s-fs"),
  needs: "Rust 1.90 or newer, with cargo",
  async make(source, folder) {
    const version = (await readFile(path.join(source, "version"), "utf8")).trim();
    const what = ["s3s-fs", "--version", version, "--features", "binary", "--locked", "--root", folder];
    await execute("cargo", ["install", "--quiet", ...what], { cwd: source, timeout: 19 * 60_000 });
  },
  use: (folder) => ({ ignores: ["region", "bucket"], start: () => startS3sFs(path.join(folder, "bin", "s3s-fs")) }),
});

async function startVersitygw(command: string) {
  const { folder, port } = await emptyBucket();
  await mkdir(path.join(folder, "sidecar"));
  const domain = `s3.test:${port}`;
  const stop = await runServer(folder, port, command, [
    "--access=KEY",
    "--secret=SE/CRET+",
    "--region=eu-test-1",
    `--port=127.0.0.1:${port}`,
    "--quiet",
    `--virtual-domain=${domain}`,
    "posix",
    `--sidecar=${path.join(folder, "sidecar")}`,
    path.join(folder, "files"),
  ]);
  return { url: urlAt(`127.0.0.1:${port}`, "path"), hostUrl: urlAt(domain, "host"), stop };
}

async function startS3sFs(command: string) {
  const { folder, port } = await emptyBucket();
  const domain = `s3.test:${port}`;
  const stop = await runServer(folder, port, command, [
    "--access-key=KEY",
    "--secret-key=SE/CRET+",
    "--host=127.0.0.1",
    `--port=${port}`,
    `--domain=${domain}`,
    path.join(folder, "files"),
  ]);
  return { url: urlAt(`127.0.0.1:${port}`, "path"), hostUrl: urlAt(domain, "host"), stop };
}

async function emptyBucket(): Promise<{ folder: string; port: number }> {
  const folder = await mkdtemp(path.join(tmpdir(), "stet-s3-"));
  await mkdir(path.join(folder, "files", "pictures"), { recursive: true });
  return { folder, port: await freePort() };
}

const urlAt = (host: string, style: string) => `s3+http://KEY:SE%2FCRET%2B@${host}/pictures?region=eu-test-1&style=${style}`;

/** Waits until it answers, and gives what ends it and removes its folder. */
async function runServer(folder: string, port: number, command: string, args: readonly string[]): Promise<() => Promise<void>> {
  // It ends when our end of the pipe does: it cannot outlive the tests.
  const server = spawn("sh", ["-c", '"$@" & pid=$!; cat >/dev/null; kill $pid', "sh", command, ...args], {
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
      throw new Error(`${path.basename(command)} did not start. Run it by hand to see why: ${command} ${args.join(" ")}`);
    }
  }
  return stop;
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.on("connect", () => resolve(true));
    socket.on("error", () => resolve(false));
    socket.on("connect", () => socket.destroy());
  });
