import http from "node:http";
import https from "node:https";
import type { GuardedAnswer, GuardedClient, GuardedRequest } from "#ports/guarded-client";
import { allowedAddresses } from "#domain/network-addresses";
import { endedWithoutAnswer, faultOf } from "./faults.ts";
import { guardedLookup } from "./guarded-lookup.ts";
import { createResolver } from "./resolve.ts";
import { type GuardedSenderOptions, OLDEST_TLS } from "./sender.ts";
import { readTarget } from "./target.ts";

/** Connections are kept for a few seconds. Each was judged when it was made. */
export function createGuardedClient(options: Omit<GuardedSenderOptions, "timeoutMillis">): GuardedClient {
  const { privateTargets, ca } = options;
  const allowed = allowedAddresses(privateTargets);
  const plainHttp = privateTargets === true || privateTargets.length > 0;
  const resolve = options.resolve ?? createResolver({ localNames: plainHttp });
  const shared = { keepAlive: true, maxFreeSockets: 64, timeout: 5_000, scheduling: "lifo" } as const;
  const secure = new https.Agent({ ...shared, lookup: guardedLookup(resolve, allowed), minVersion: OLDEST_TLS, ...(ca && { ca }) });
  const plain = new http.Agent({ ...shared, lookup: guardedLookup(resolve, allowed.isOpened) });
  return {
    async request(request, limits) {
      const target = readTarget(request.url, allowed, plainHttp);
      if (typeof target === "string") throw new Error(target);
      const patience = createPatience(limits.patienceMillis);
      const start = () =>
        target.protocol === "https:"
          ? https.request(target, { ...common(request), agent: secure })
          : http.request(target, { ...common(request), agent: plain });
      const answer = await patience.wait(headOf(start, request.body));
      return {
        status: answer.statusCode ?? 0,
        header: (name) => [answer.headers[name]].flat()[0],
        body: bounded(answer, limits.mostBytes, patience),
        close: () => void answer.destroy(),
      } satisfies GuardedAnswer;
    },
    close() {
      secure.destroy();
      plain.destroy();
    },
  };
}

const common = ({ method, headers, body }: GuardedRequest) => ({
  method,
  headers: { ...headers, "user-agent": "Stet", ...(body && { "content-length": String(body.byteLength) }) },
});

/** The head of the answer, and how to give up on it. */
interface Pending<T> {
  readonly result: Promise<T>;
  cancel(): void;
}

function headOf(start: () => http.ClientRequest, body: Uint8Array | undefined): Pending<http.IncomingMessage> {
  let outgoing: http.ClientRequest;
  const attempt = (): Promise<http.IncomingMessage> =>
    new Promise((resolve, reject) => {
      outgoing = start();
      outgoing.on("error", reject);
      outgoing.on("close", () => reject(endedWithoutAnswer()));
      outgoing.on("response", (answer) => {
        // What goes wrong later is told by the body.
        answer.on("error", () => {});
        resolve(answer);
      });
      outgoing.end(body);
    });
  const result = attempt().catch((error: NodeJS.ErrnoException) => {
    // The other side closed an idle connection at the moment it was taken up again: that was no attempt.
    const isStale = outgoing.reusedSocket && (error.code === "ECONNRESET" || error.code === "EPIPE");
    return isStale ? attempt() : Promise.reject(error);
  });
  return { result, cancel: () => outgoing.destroy() };
}

/** So much waiting for the other side in all. The time that our own reader takes between two pieces does not count. */
function createPatience(totalMillis: number) {
  let left = totalMillis;
  return {
    async wait<T>({ result, cancel }: Pending<T>): Promise<T> {
      const started = performance.now();
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => {
          reject(new Error(`No complete answer within ${Math.round(totalMillis / 1_000)} seconds.`));
          cancel();
        }, left);
      });
      try {
        return await Promise.race([late, result.catch((error: unknown) => Promise.reject(new Error(faultOf(error), { cause: error })))]);
      } finally {
        clearTimeout(timer);
        left = Math.max(0, left - (performance.now() - started));
      }
    },
  };
}

async function* bounded(
  answer: http.IncomingMessage,
  mostBytes: number,
  patience: ReturnType<typeof createPatience>,
): AsyncGenerator<Uint8Array> {
  const pieces = answer[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let bytes = 0;
  try {
    for (;;) {
      const piece = await patience.wait({ result: pieces.next(), cancel: () => answer.destroy() });
      if (piece.done) return;
      bytes += piece.value.byteLength;
      if (bytes > mostBytes) throw new Error(`The answer is larger than ${mostBytes} bytes.`);
      yield piece.value;
    }
  } finally {
    answer.destroy();
  }
}
