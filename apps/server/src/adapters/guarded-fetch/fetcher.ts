import http from "node:http";
import https from "node:https";
import type { Fetched, Fetcher } from "#ports/fetcher";
import { allowedAddresses } from "#domain/network-addresses";
import { endedWithoutAnswer, faultOf } from "./faults.ts";
import { guardedLookup } from "./guarded-lookup.ts";
import { createResolver } from "./resolve.ts";
import { type GuardedSenderOptions, OLDEST_TLS } from "./sender.ts";
import { readTarget } from "./target.ts";

/** Connections are not kept: two readings of one address are rare. */
export function createGuardedFetcher(options: Omit<GuardedSenderOptions, "timeoutMillis">): Fetcher {
  const { privateTargets, ca } = options;
  const allowed = allowedAddresses(privateTargets);
  const plainHttp = privateTargets === true || privateTargets.length > 0;
  const resolve = options.resolve ?? createResolver({ localNames: plainHttp });
  const secure = { lookup: guardedLookup(resolve, allowed), minVersion: OLDEST_TLS, ...(ca && { ca }) };
  const plain = { lookup: guardedLookup(resolve, allowed.isOpened) };

  return {
    async get(address, { accept, mostBytes, timeoutMillis }) {
      const target = readTarget(address, allowed, plainHttp);
      if (typeof target === "string") return { error: target };
      const signal = AbortSignal.timeout(timeoutMillis);
      try {
        const common = { method: "GET", agent: false, signal, headers: { accept, "user-agent": "Stet" } } as const;
        const request =
          target.protocol === "https:" ? https.request(target, { ...common, ...secure }) : http.request(target, { ...common, ...plain });
        return await answerTo(request, mostBytes);
      } catch (error) {
        if (signal.aborted) return { error: `No complete answer within ${Math.round(timeoutMillis / 1_000)} seconds.` };
        return { error: faultOf(error) };
      }
    },
  };
}

function answerTo(request: http.ClientRequest, mostBytes: number): Promise<Fetched> {
  return new Promise((resolve, reject) => {
    request.on("error", reject);
    let isAnswered = false;
    request.on("close", () => {
      if (!isAnswered) reject(endedWithoutAnswer());
    });
    request.on("response", (answer) => {
      isAnswered = true;
      const chunks: Buffer[] = [];
      let bytes = 0;
      const tooLarge = () => {
        resolve({ error: `The answer is larger than ${mostBytes} bytes.` });
        request.destroy();
      };
      if (Number(answer.headers["content-length"] ?? 0) > mostBytes) return tooLarge();
      answer.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > mostBytes) tooLarge();
        else chunks.push(chunk);
      });
      answer.on("error", reject);
      answer.on("end", () =>
        resolve({
          status: answer.statusCode ?? 0,
          contentType: (answer.headers["content-type"] ?? "").split(";")[0]!.trim().toLowerCase(),
          cacheControl: answer.headers["cache-control"] ?? null,
          bytes: Buffer.concat(chunks),
        }),
      );
    });
    request.end();
  });
}
