import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { execute } from "#operations/kernel/execute";
import type { Services } from "#operations/kernel/services";
import { exportWebsite } from "#operations/websites/export-website";
import { importWebsite } from "#operations/websites/import-website";
import { attachment } from "../attachment.ts";
import { answerProblem } from "../problem.ts";
import type { ApiRoute } from "./api.ts";
import { drain } from "./drain.ts";
import { requireActor, type Sessions } from "./sessions.ts";

const NDJSON = "application/x-ndjson";
/** Lines of the file between two lines of progress. */
const EVERY = 100;

/** `GET /api/websites/{websiteId}/export`: everything a website holds, made as fast as it is taken. */
export function exportRoute(services: Services, sessions: Sessions): ApiRoute {
  return {
    method: "GET",
    path: "/websites/{websiteId}/export",
    async handle({ request, response, params }) {
      const actor = await requireActor(sessions, request);
      if (request.method === "HEAD") return void response.writeHead(200, { "Content-Type": NDJSON }).end();
      const { filename, lines } = await execute(services, exportWebsite, actor, { websiteId: params.websiteId });
      response.writeHead(200, { "Content-Type": NDJSON, "Content-Disposition": attachment(filename) });
      try {
        await pipeline(Readable.from(lines, { objectMode: false, encoding: "utf8" }), response);
      } catch (error) {
        // Whoever closed the window wants no more of it; anything else is ours.
        if ((error as NodeJS.ErrnoException).code !== "ERR_STREAM_PREMATURE_CLOSE") throw error;
      }
    },
  };
}

/**
 * `POST /api/websites/{websiteId}/import`: adds what an export holds, while it is being read. Answers lines of JSON: how many
 * lines are done, and at the end `result`, or `problem` where it stopped on the way.
 */
export function importRoute(services: Services, sessions: Sessions): ApiRoute {
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
      try {
        const result = await execute(services, importWebsite, actor, {
          websiteId: params.websiteId,
          source: request.setEncoding("utf8"),
          onProgress: (done: number) => {
            if (done % EVERY === 0) say({ done, kind: "line" });
          },
        });
        say({ result });
        response.end();
      } catch (error) {
        response.shouldKeepAlive = false;
        await drain(request);
        if (!response.headersSent) throw error;
        const problem: unknown = JSON.parse(answerProblem(error, { requestId, publicUrl }).body);
        response.end(`${JSON.stringify({ problem })}\n`);
      }
    },
  };
}
