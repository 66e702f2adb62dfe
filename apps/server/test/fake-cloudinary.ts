import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { v2 as sdk } from "cloudinary";
import sharp from "sharp";
import type { CloudinaryAddress } from "#adapters/cloudinary-images/cloudinary-address";
import { readImage } from "#domain/image";

export const FAKE_ACCOUNT = { cloud: "fake-cloud", apiKey: "123456789012345", apiSecret: "aFake-Secret_0123456789" } as const;

interface Stored {
  readonly bytes: Buffer;
  readonly format: string;
}

/** What an account can be set to, which the adapter must live with. */
export interface FakeSettings {
  /** Bytes that an upload preset makes of an image. */
  incoming?: (bytes: Buffer) => Buffer;
  /** Whole files are sent whatever part is asked for. */
  ignoresRanges?: boolean;
  /** "Strict transformations": what is delivered must be signed. */
  strict?: boolean;
}

/**
 * A fake. It follows the published interface of Cloudinary as far as the adapter uses it: signed upload and destroy, the list of resources,
 * delivery of originals and of smaller images. What it knows of signatures and addresses it asks the official SDK. Its delivery keeps what it sent once, by
 * address, and forgets nothing, as a cache that invalidation has not reached yet. Images that are none are refused, as there.
 */
export async function startFakeCloudinary(settings: FakeSettings = {}) {
  const files = new Map<string, Stored>();
  const cache = new Map<string, Stored | null>();
  const server = createServer((request, response) => {
    void answer(request, response).catch((error: Error) => refuse(response, 500, error.message));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url!, origin);
    const api = `/v1_1/${FAKE_ACCOUNT.cloud}`;
    if (request.method === "POST" && url.pathname === `${api}/image/upload`) return upload(await formOf(request), response);
    if (request.method === "POST" && url.pathname === `${api}/image/destroy`) return destroy(await formOf(request), response);
    if (request.method === "GET" && url.pathname === `${api}/resources/image/upload`) return list(request, url, response);
    if (url.pathname.startsWith("/v1_1/")) return refuse(response, 401, "Invalid cloud_name");
    return deliver(request, url.pathname, response);
  }

  async function upload(form: FormData, response: ServerResponse): Promise<void> {
    const problem = signatureProblem(form);
    if (problem) return refuse(response, 401, problem);
    const sent = Buffer.from(await (form.get("file") as File).arrayBuffer());
    const bytes = settings.incoming?.(sent) ?? sent;
    const image = readImage(bytes);
    if (typeof image === "string") return refuse(response, 400, "Invalid image file");
    const id = form.get("public_id") as string;
    if (files.has(id) && form.get("overwrite") !== "true") return json(response, { public_id: id, existing: true });
    files.set(id, { bytes, format: image.extension });
    return json(response, { public_id: id, format: image.extension, resource_type: "image", type: "upload", bytes: bytes.byteLength });
  }

  function destroy(form: FormData, response: ServerResponse): void {
    const problem = signatureProblem(form);
    if (problem) return refuse(response, 401, problem);
    return json(response, { result: files.delete(form.get("public_id") as string) ? "ok" : "not found" });
  }

  function list(request: IncomingMessage, { searchParams }: URL, response: ServerResponse): void {
    const { apiKey, apiSecret } = FAKE_ACCOUNT;
    if (request.headers.authorization !== `Basic ${btoa(`${apiKey}:${apiSecret}`)}`) return refuse(response, 401, "api_secret mismatch");
    const prefix = searchParams.get("prefix") ?? "";
    const after = searchParams.get("next_cursor") ?? "";
    const all = [...files.keys()].filter((id) => id.startsWith(prefix) && id > after).toSorted();
    const page = all.slice(0, Number(searchParams.get("max_results") ?? 10));
    const resources = page.map((id) => ({ public_id: id, format: files.get(id)!.format, bytes: files.get(id)!.bytes.byteLength }));
    return json(response, { resources, ...(page.length < all.length && { next_cursor: page.at(-1) }) });
  }

  async function deliver(request: IncomingMessage, path: string, response: ServerResponse): Promise<void> {
    const [, version, id, format] = /\/v(\d+)\/(.+)\.(\w+)$/.exec(path) ?? [];
    const [, height, width] = /,h_(\d+),q_80,w_(\d+)\//.exec(path) ?? [];
    if (id && width && !settings.strict && path === pathOf(id, { ...SMALLER, height, width, format })) {
      const found = files.get(id);
      if (!found) return refuse(response, 404, `Resource not found - ${id}`);
      const made = await sharp(found.bytes)
        .autoOrient()
        .resize(Number(width), Number(height))
        .toFormat(format as "webp")
        .toBuffer();
      return void response.writeHead(200, { "content-type": `image/${format}` }).end(made);
    }
    const original = { flags: "original", format, version };
    const isUnsigned = id && !settings.strict && path === pathOf(id, original);
    if (!version || !id || (!isUnsigned && path !== pathOf(id, { ...original, ...SIGNED })))
      return refuse(response, 401, "Invalid Signature in the address");
    if (!cache.has(path)) cache.set(path, files.get(id) ?? null);
    const found = cache.get(path);
    if (!found || found.format !== format) return refuse(response, 404, `Resource not found - ${id}`);
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") ?? [];
    const part = first && !settings.ignoresRanges ? found.bytes.subarray(Number(first), Number(last) + 1) : found.bytes;
    response.writeHead(part === found.bytes ? 200 : 206, {
      "content-length": part.byteLength,
      ...(part !== found.bytes && { "content-range": `bytes ${first}-${last}/${found.bytes.byteLength}` }),
    });
    response.end(request.method === "HEAD" ? undefined : part);
  }

  const address: CloudinaryAddress = { ...FAKE_ACCOUNT, api: origin, delivery: origin };
  return {
    address,
    /** As an owner gives it; the hosts are not part of it. */
    url: `cloudinary://${FAKE_ACCOUNT.apiKey}:${FAKE_ACCOUNT.apiSecret}@${FAKE_ACCOUNT.cloud}`,
    hosts: { api: origin, delivery: origin },
    /** By public id. */
    files: files as ReadonlyMap<string, Stored>,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** By the official SDK: every field but these is signed. */
function signatureProblem(form: FormData): string | null {
  const { api_key: key, signature, file: _file, ...signed } = Object.fromEntries(form) as Record<string, string>;
  if (key !== FAKE_ACCOUNT.apiKey) return "unknown api_key";
  if (Math.abs(Date.now() / 1_000 - Number(signed.timestamp)) > 3_600) return "Stale request";
  // The types of the SDK do not know of the algorithm.
  const sign = sdk.utils.api_sign_request as (parameters: object, secret: string, algorithm: string) => string;
  return signature === sign(signed, FAKE_ACCOUNT.apiSecret, "sha256") ? null : "Invalid Signature";
}

const SIGNED = { sign_url: true, long_url_signature: true };
const SMALLER = { crop: "fill", gravity: "center", quality: 80, version: 1 };

/** By the official SDK: where an image is delivered. */
const pathOf = (id: string, options: object): string => {
  const account = { cloud_name: FAKE_ACCOUNT.cloud, api_secret: FAKE_ACCOUNT.apiSecret };
  return new URL(sdk.url(id, { ...account, ...options, secure: true, urlAnalytics: false })).pathname;
};

const formOf = async (request: IncomingMessage): Promise<FormData> =>
  new Response(await buffer(request), { headers: { "content-type": request.headers["content-type"]! } }).formData();

function json(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { "x-cld-error": message }).end(JSON.stringify({ error: { message } }));
}
