import http from "node:http";
import https from "node:https";
import type { SecureVersion } from "node:tls";
import type { Answer, Outgoing, Sender } from "#ports/sender";
import { allowedAddresses } from "#domain/network-addresses";
import { endedWithoutAnswer, faultOf } from "./faults.ts";
import { guardedLookup } from "./guarded-lookup.ts";
import { createResolver, type Resolver } from "./resolve.ts";
import { readTarget } from "./target.ts";

const MAX_ANSWER_BYTES = 64 * 1024;
/** The most bytes of an answer's text that are kept. */
const KEPT_CHARACTERS = 2_000;
export const OLDEST_TLS: SecureVersion = "TLSv1.2";

export interface GuardedSenderOptions {
  /** Addresses that are not public and may be called all the same: all, or these networks. They lift https as well. */
  privateTargets: true | readonly string[];
  /** From resolving the name to the last byte of the answer, in milliseconds. */
  timeoutMillis?: number;
  resolve?: Resolver;
  /** Certificates to trust besides those of the system, in PEM. */
  ca?: string;
}

export function createGuardedSender(options: GuardedSenderOptions): Sender & { close(): void } {
  const { privateTargets, timeoutMillis = 15_000, ca } = options;
  const allowed = allowedAddresses(privateTargets);
  const plainHttp = privateTargets === true || privateTargets.length > 0;
  const resolve = options.resolve ?? createResolver({ localNames: plainHttp });
  // Connections are kept for a few seconds: a burst to one receiver needs one handshake. Each was judged when it was made.
  const shared = { keepAlive: true, maxFreeSockets: 256, timeout: 5_000, scheduling: "lifo" } as const;
  const agents = {
    "https:": new https.Agent({ ...shared, lookup: guardedLookup(resolve, allowed), minVersion: OLDEST_TLS, ...(ca && { ca }) }),
    "http:": new http.Agent({ ...shared, lookup: guardedLookup(resolve, allowed.isOpened) }),
  };

  return {
    refusalOf(text) {
      const target = readTarget(text, allowed, plainHttp);
      return typeof target === "string" ? target : null;
    },

    async post(request, signal) {
      const started = performance.now();
      const target = readTarget(request.url, allowed, plainHttp);
      const failed = (error: string): Answer => ({ status: null, error, text: "", millis: Math.round(performance.now() - started) });
      if (typeof target === "string") return failed(target);
      // One limit over everything: names, handshakes, and an answer that drips.
      const timeout = AbortSignal.timeout(timeoutMillis);
      const end = signal ? AbortSignal.any([signal, timeout]) : timeout;
      for (let isRepeated = false; ; isRepeated = true) {
        try {
          const { status, text } = await exchange(target, agents[target.protocol as keyof typeof agents], request, end);
          return { status, text, error: null, millis: Math.round(performance.now() - started) };
        } catch (error) {
          if (signal?.aborted) throw error;
          if (timeout.aborted) return failed(`No complete answer within ${Math.round(timeoutMillis / 1_000)} seconds.`);
          // The receiver closed an idle connection at the moment it was taken up again: that was no attempt.
          if (error instanceof StaleConnection && !isRepeated) continue;
          return failed(faultOf(error));
        }
      }
    },

    close() {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

class StaleConnection extends Error {
  readonly code: string | undefined;
  constructor(cause: NodeJS.ErrnoException) {
    super(cause.message, { cause });
    this.code = cause.code;
  }
}

function exchange(url: URL, agent: http.Agent, request: Outgoing, signal: AbortSignal): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const { request: start } = url.protocol === "https:" ? https : http;
    const body = Buffer.from(request.body);
    const outgoing = start(url, { method: "POST", agent, signal, headers: { ...request.headers, "content-length": body.length } });
    outgoing.on("error", (error: NodeJS.ErrnoException) => {
      const isStale = outgoing.reusedSocket && (error.code === "ECONNRESET" || error.code === "EPIPE");
      reject(isStale ? new StaleConnection(error) : error);
    });
    let isAnswered = false;
    outgoing.on("close", () => {
      if (!isAnswered) reject(endedWithoutAnswer());
    });
    outgoing.on("response", (answer) => {
      isAnswered = true;
      const chunks: Buffer[] = [];
      let bytes = 0;
      const finish = () => resolve({ status: answer.statusCode ?? 0, text: textOf(chunks) });
      answer.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes <= MAX_ANSWER_BYTES) return;
        // The status has been said; the rest of a long answer is nobody's concern.
        finish();
        outgoing.destroy();
      });
      answer.on("end", finish);
      answer.on("error", reject);
    });
    outgoing.end(body);
  });
}

function textOf(chunks: readonly Buffer[]): string {
  const text = Buffer.concat(chunks)
    .subarray(0, 4 * KEPT_CHARACTERS)
    .toString("utf8")
    .replaceAll("\u0000", "\ufffd");
  return text.slice(0, KEPT_CHARACTERS).toWellFormed();
}
