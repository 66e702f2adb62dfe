import { refOf } from "#domain/actor";
import { Failure } from "#domain/failure";
import { MAX_IMAGE_BYTES } from "#domain/image";
import type { TransportServices } from "#operations/kernel/transport-services";
import { addMedia } from "#operations/media/add-media";
import { readBodyInLine } from "../shared/large-bodies.ts";
import type { ApiRoute } from "./api.ts";
import { discardBody } from "./discard-body.ts";
import { sendData } from "./json.ts";
import { requireActor, type Sessions } from "../shared/sessions.ts";

/**
 * `POST /api/websites/{websiteId}/media?fileName=…&alt=…`: the body is the image as it is, so that the browser can show how
 * far it is. What it is, the bytes say, not the content type.
 */
export function uploadRoute(services: TransportServices, sessions: Sessions): ApiRoute {
  return {
    method: "POST",
    path: "/websites/{websiteId}/media",
    async handle({ request, response, params, query }) {
      const actor = await requireActor(sessions, request);
      const bytes = await readBodyInLine(request, response, MAX_IMAGE_BYTES, services.lines.bodies, refOf(actor).id).catch(
        async (error: unknown) => {
          if (error instanceof Failure && error.code === "PAYLOAD_TOO_LARGE") await discardBody(request);
          throw error;
        },
      );
      const blurhash = query.get("blurhash");
      const media = await services.execute(addMedia, actor, {
        websiteId: params.websiteId,
        bytes,
        filename: query.get("fileName") ?? "",
        alt: query.get("alt") ?? "",
        ...(blurhash !== null && { blurhash }),
      });
      sendData(response, media);
    },
  };
}
