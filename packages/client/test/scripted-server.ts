import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import type { Asked, ScriptedServer, Step } from "./scripted-answers.ts";

/** Does as it is told, request by request; the last instruction stands for all that follow. */
export class Script {
  readonly asked: Asked[] = [];
  most = 0;
  readonly #steps: readonly Step[];
  readonly #waiting: (() => void)[] = [];
  #open = 0;

  constructor(steps: readonly Step[]) {
    this.#steps = steps;
  }

  answer(request: IncomingMessage, response: ServerResponse, url: string): void {
    const { status, headers, body, way } = this.#steps[Math.min(this.asked.length, this.#steps.length - 1)]!;
    this.asked.push({ url, headers: request.headers as Asked["headers"] });
    this.most = Math.max(this.most, ++this.#open);
    let isOpen = true;
    const over = () => {
      if (isOpen) this.#open -= 1;
      isOpen = false;
    };
    response.on("close", over);
    const whole = () => {
      // Who has the whole answer asks on, which can be heard before this connection says that it has sent it.
      over();
      response.writeHead(status, headers).end(body);
    };
    if (way === undefined) setTimeout(whole, 1);
    if (way === "later") this.#waiting.push(whole);
    if (way === "cut" && body === "") response.destroy();
    else if (way === "cut" || way === "stall") {
      response.writeHead(status, { ...headers, "Content-Length": String(body.length) }).write(body.slice(0, body.length / 2));
      if (way === "cut") setImmediate(() => response.destroy());
    }
  }

  release(): void {
    this.#waiting.shift()?.();
  }
}

export async function serve(...steps: readonly Step[]): Promise<ScriptedServer> {
  const script = new Script(steps);
  const server = createServer((request, response) => script.answer(request, response, request.url!));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: async () => script.asked,
    most: async () => script.most,
    release: async () => script.release(),
  };
}
