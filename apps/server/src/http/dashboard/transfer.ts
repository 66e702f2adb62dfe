import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { fail } from "#domain/failure";
import { whileAllowed } from "#domain/while-allowed";
import type { TransportServices } from "#operations/kernel/transport-services";
import { exportWebsite } from "#operations/transfer/export-website";
import { importWebsite } from "#operations/transfer/import-website";
import { attachment } from "../shared/attachment.ts";
import { allowLongRequest } from "../shared/allow-long-request.ts";
import { answerProblem } from "../shared/problem.ts";
import type { ApiRoute } from "./api.ts";
import { discardBody } from "./discard-body.ts";
import { requireActor, type Sessions } from "../shared/sessions.ts";

const NDJSON = "application/x-ndjson";
/** Between two lines of progress: so many lines of the file, or so many bytes where images make them long. */
const EVERY_LINES = 100;
const EVERY_BYTES = 1_000_000;

/** `GET /api/websites/{websiteId}/export`: everything a website holds, made as fast as it is taken. */
export function exportRoute(services: TransportServices, sessions: Sessions): ApiRoute {
  return {
    method: "GET",
    path: "/websites/{websiteId}/export",
    async handle({ request, response, params }) {
      // To ask is to export: it stands in the activity log.
      if (request.method === "HEAD") throw fail("METHOD_NOT_ALLOWED", "Use GET here.", { allow: "GET" });
      const actor = await requireActor(sessions, request);
      const { filename, lines } = await services.execute(exportWebsite, actor, { websiteId: params.websiteId });
      // Who signs out everywhere ends this too.
      const allowed = await begun(whileAllowed(lines, services.clock, () => requireActor(sessions, request)));
      response.writeHead(200, { "Content-Type": NDJSON, "Content-Disposition": attachment(filename) });
      try {
        await pipeline(Readable.from(allowed, { objectMode: false, encoding: "utf8" }), response);
      } catch (error) {
        // A person who closed the window wants no more of it; any other error is ours.
        if ((error as NodeJS.ErrnoException).code !== "ERR_STREAM_PREMATURE_CLOSE") throw error;
      }
    },
  };
}

/** The same with its first part made: what fails before is a refusal in words, what fails later only cuts the answer off. */
async function begun<Part>(parts: AsyncGenerator<Part>): Promise<AsyncIterable<Part>> {
  let first: IteratorResult<Part> | null = await parts.next();
  const next = async () => {
    const part = first ?? (await parts.next());
    first = null;
    return part;
  };
  // Also who takes nothing of it ends it.
  return { [Symbol.asyncIterator]: () => ({ next, return: () => parts.return(undefined) }) };
}

/**
 * `POST /api/websites/{websiteId}/import`: adds what an export holds, while it is being read. Answers lines of JSON: how many
 * lines and bytes are done, and at the end `result`, or `problem` where it stopped on the way.
 */
export function importRoute(services: TransportServices, sessions: Sessions): ApiRoute {
  const { publicUrl } = services.settings;
  return {
    method: "POST",
    path: "/websites/{websiteId}/import",
    async handle({ request, response, params, requestId }) {
      const actor = await requireActor(sessions, request);
      const say = (line: object): void => {
        if (!response.headersSent) response.writeHead(200, { "Content-Type": NDJSON });
        response.write(`${JSON.stringify(line)}\n`);
      };
      const hasArrived = allowLongRequest(request);
      let bytes = 0;
      let told = 0;
      const source = counted(request, (more) => {
        bytes += more;
      });
      try {
        const result = await services.execute(importWebsite, actor, {
          websiteId: params.websiteId,
          source: whileAllowed(source, services.clock, () => requireActor(sessions, request)),
          onProgress: (done: number) => {
            if (done % EVERY_LINES !== 0 && bytes - told < EVERY_BYTES) return;
            told = bytes;
            say({ done, bytes });
          },
        });
        say({ result });
        response.end();
      } catch (error) {
        response.shouldKeepAlive = false;
        await discardBody(request, Number.POSITIVE_INFINITY);
        if (!response.headersSent) throw error;
        const problem: unknown = JSON.parse(answerProblem(error, { requestId, publicUrl }).body);
        response.end(`${JSON.stringify({ problem })}\n`);
      } finally {
        hasArrived();
      }
    },
  };
}

/** Text as it is taken, and how many bytes it was: what has arrived but is not read yet does not count as done. */
async function* counted(request: IncomingMessage, onBytes: (bytes: number) => void): AsyncGenerator<string> {
  // Left open when nobody reads on: a client that is still sending reads the error only when all of its body was taken.
  for await (const text of request.setEncoding("utf8").iterator({ destroyOnReturn: false }) as AsyncIterable<string>) {
    onBytes(Buffer.byteLength(text));
    yield text;
  }
}
