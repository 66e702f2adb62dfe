import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import type { Step } from "../../../../../packages/client/test/scripted-answers.ts";
import { Script } from "../../../../../packages/client/test/scripted-server.ts";
import type { SuiteBlog } from "../suite-blog.ts";

/** Scripted servers and a blog for a suite that runs in another runtime, and the empty page that it runs in if that is a browser. */
export async function startControl(blog: SuiteBlog): Promise<{ url: string; stop(): void }> {
  const scripts: Script[] = [];
  const { url: blogUrl, key, websiteId } = blog;
  const acts: Record<string, (...args: never[]) => unknown> = {
    script: (steps: readonly Step[]) => scripts.push(new Script(steps)) - 1,
    asked: (id: number) => scripts[id]!.asked,
    most: (id: number) => scripts[id]!.most,
    release: (id: number) => scripts[id]!.release(),
    blog: () => ({ url: blogUrl, key, websiteId }),
    post: blog.post,
    unpublish: blog.unpublish,
    previewOf: blog.previewOf,
    makeKey: blog.makeKey,
    freeKey: blog.freeKey,
  };
  const server = createServer(async (request, response) => {
    // A browser tries again by itself what fails on a connection that it used before.
    response.setHeader("Connection", "close");
    const [, kind, name = "", ...rest] = request.url!.split("/");
    if (kind === "scripted") return scripts[Number(name)]!.answer(request, response, `/${rest.join("/")}`);
    if (kind !== "control") return void response.setHeader("Content-Type", "text/html").end("<!doctype html><title>A page</title>");
    try {
      const answer = (await acts[name]!(...((await json(request)) as never[]))) ?? null;
      response.end(JSON.stringify({ answer }));
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
