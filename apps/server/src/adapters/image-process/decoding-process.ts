import { type ChildProcess, fork } from "node:child_process";
import { readdirSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { fail } from "#domain/failure";
import { SECOND } from "#domain/time";
import { type Answer, type FromProcess, type Job, OUT_OF_MEMORY } from "./job.ts";

const PROGRAM = new URL("./process/image-process.ts", import.meta.url);
/** From its start until it can take a job, on a machine that is busy with other things. */
const START_MILLIS = 30 * SECOND;

/** One process that decodes images, one at a time. */
export interface DecodingProcess {
  /** "lost": it ended without an answer, by the image or by somebody else. It takes no further job then, nor after "too costly". */
  run(job: Job, mostMillis: number): Promise<Answer | "lost">;
  end(): void;
  readonly pid: number | undefined;
}

/** Resolves when it can take a job. */
export async function startDecodingProcess(): Promise<DecodingProcess> {
  const child = fork(PROGRAM, {
    // Nothing of the environment: it holds secrets, and this process reads what strangers send.
    env: { MALLOC_ARENA_MAX: "2" },
    execArgv: [],
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  const first = await nextMessage(child, START_MILLIS);
  if (typeof first !== "object" || !("ready" in first)) {
    child.kill("SIGKILL");
    const failure = fail("UNAVAILABLE", "This server cannot process images right now. Nothing was lost; try again.");
    // For the log: on a system without a prebuilt package it says so.
    failure.cause = new Error(`The process that decodes images did not start: ${JSON.stringify(first)}`);
    throw failure;
  }
  // Readers come first where there are few processors.
  if (child.pid !== undefined) lowerPriority(child.pid);
  rest(child);
  return {
    pid: child.pid,
    async run(job, mostMillis) {
      child.ref();
      child.channel?.ref();
      try {
        const answered = nextMessage(child, mostMillis);
        if (child.connected) child.send(job, () => {});
        const message = await answered;
        if (message === "late" || message === OUT_OF_MEMORY) return "too costly";
        return typeof message === "object" && "answer" in message ? message.answer : "lost";
      } finally {
        rest(child);
      }
    },
    end: () => void child.kill("SIGKILL"),
  };
}

/** It must not keep a process alive that has nothing else to do. */
function rest(child: ChildProcess): void {
  child.unref();
  child.channel?.unref();
}

function lowerPriority(pid: number): void {
  for (const id of [pid, ...threadsOf(pid)]) {
    try {
      setPriority(id, constants.priority.PRIORITY_BELOW_NORMAL);
    } catch {
      // Some systems do not let it, and threads end; then it runs as everything else.
    }
  }
}

/** On Linux a priority is that of one thread, and images are decoded in others than the first. Those that they start have theirs. */
function threadsOf(pid: number): readonly number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number);
  } catch {
    return [];
  }
}

/** The next message, or the code with which the process ended before it; "late" where it was ended for that. */
function nextMessage(child: ChildProcess, mostMillis: number): Promise<FromProcess | number | "late" | "lost"> {
  return new Promise((resolve) => {
    const settle = (result: FromProcess | number | "late" | "lost"): void => {
      clearTimeout(timer);
      child.off("message", onMessage).off("exit", onExit).off("error", onError);
      resolve(result);
    };
    const onMessage = (message: unknown): void => settle(message as FromProcess);
    const onExit = (code: number | null): void => settle(code ?? "lost");
    const onError = (): void => settle("lost");
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      settle("late");
    }, mostMillis);
    if (child.exitCode !== null || child.signalCode !== null) onExit(child.exitCode);
    else child.on("message", onMessage).on("exit", onExit).on("error", onError);
  });
}
