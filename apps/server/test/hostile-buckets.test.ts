import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createGuardedClient } from "#adapters/guarded-fetch/client";
import { openS3Images } from "#adapters/s3-images/s3-images";
import type { ImageStore } from "#ports/image-store";

/** A bucket that answers what no bucket should. */
let answer: RequestListener = () => {};
let requests = 0;
const server = createServer((request, response) => {
  requests += 1;
  request.resume();
  answer(request, response);
});
const client = createGuardedClient({ privateTargets: ["127.0.0.1"] });
let endpoint: string;
beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  client.close();
  server.closeAllConnections();
  server.close();
});

const address = () => ({
  endpoint,
  bucket: "pictures",
  region: "us-east-1",
  style: "path" as const,
  accessKeyId: "KEY",
  secretAccessKey: "SECRET",
  sessionToken: "TOKEN",
});
const bucket = (guarded = client): ImageStore =>
  openS3Images({ address: address(), client: guarded, clock: () => new Date(), patienceMillis: 1_000 });
const listed = async () => {
  const keys: string[] = [];
  for await (const key of bucket().list("site_1/")) keys.push(key);
  return keys;
};
/** What the operator reads in the log. */
const faultOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "no fault",
    (error: Error) => (error.cause instanceof Error ? error.cause.message : error.message),
  );
const KEY = "site_1/media_1.png";
const page = (keys: readonly string[], more = "") =>
  `<?xml version="1.0"?><ListBucketResult><IsTruncated>${more === "" ? "false" : "true"}</IsTruncated>${keys
    .map((key) => `<Contents><Key>${key}</Key><Size>1</Size></Contents>`)
    .join("")}</ListBucketResult>`;

test("every request signs the hash of its payload and carries the session token; the secret is never sent", async () => {
  const seen: string[] = [];
  answer = (request, response) => {
    seen.push(JSON.stringify(request.headers), request.url!);
    response.end();
  };
  await bucket().put(KEY, Buffer.from("abc"), "image/png");
  expect(seen[0]).toContain('"x-amz-content-sha256":"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"');
  expect(seen[0]).toContain("SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-security-token");
  expect(seen[0]).toContain('"x-amz-security-token":"TOKEN"');
  expect(seen.join()).not.toContain("SECRET");
});

test("a redirect is an error, and is not followed", async () => {
  answer = (_, response) => void response.writeHead(307, { Location: `${endpoint}/elsewhere` }).end();
  const before = requests;
  expect(await faultOf(bucket().put(KEY, Buffer.from("abc"), "image/png"))).toContain("redirect (307)");
  expect(await faultOf(bucket().get(KEY))).toContain("Check the host and the region");
  expect(requests).toBe(before + 2);
});

test("an answer without end is left where it is too large", async () => {
  let sent = 0;
  answer = (_, response) => {
    const piece = Buffer.alloc(1024 * 1024);
    const send = (): void => {
      while (!response.destroyed && sent < 1024) {
        sent += 1;
        if (!response.write(piece)) return void response.once("drain", send);
      }
    };
    send();
  };
  expect(await faultOf(bucket().get(KEY))).toContain("larger than");
  expect(sent).toBeLessThan(60);
  sent = 0;
  expect(await faultOf(listed())).toContain("larger than");
  expect(sent).toBeLessThan(40);
});

test("an answer that drips, and one that never comes, end with the time", async () => {
  answer = (_, response) => {
    const drip = setInterval(() => response.write("x"), 20);
    response.on("close", () => clearInterval(drip));
  };
  expect(await faultOf(bucket().get(KEY))).toContain("No complete answer within 1 second");
  answer = () => {};
  expect(await faultOf(bucket().size(KEY))).toContain("No complete answer within 1 second");
});

test("a list that is no XML, is cut off, names other websites' files or goes in circles is a fault", async () => {
  const cases: readonly (readonly [string, string])[] = [
    ["<html>hello</html>", "not the XML"],
    [page([KEY]).slice(0, -10), "not the XML"],
    [page([KEY]).replace("<Key>", "<Kez>"), "not the XML"],
    [page([KEY, "site_2/media_1.png"]), "not asked for"],
    [page([KEY], "more"), "names the same files again"],
    [page([], "more"), "names the same files again"],
  ];
  for (const [xml, fault] of cases) {
    answer = (_, response) => void response.end(xml);
    expect(await faultOf(listed()), xml).toContain(fault);
  }
  answer = (_, response) => void response.end(page([KEY, "site_1/a&amp;b", "site_1/media_2.png"]));
  expect(await listed()).toEqual([KEY, "site_1/media_2.png"]);
});

test("another part than was asked for never reaches a reader", async () => {
  const read = () => buffer(bucket().read(KEY, 2, 5));
  answer = (_, response) => void response.end("whole file");
  expect(await faultOf(read())).toContain("does not send parts");
  answer = (_, response) => void response.writeHead(206, { "Content-Range": "bytes 0-3/10" }).end("0123");
  expect(await faultOf(read())).toContain("another part");
  answer = (_, response) => void response.writeHead(206, { "Content-Range": "bytes 2-5/10" }).end("23456789");
  expect(await faultOf(read())).toContain("more than was asked for");
  answer = (_, response) => void response.writeHead(206, { "Content-Range": "bytes 2-5/10" }).end("23");
  expect(await faultOf(read())).toContain("less than was asked for");
});

test("a server that is busy is asked again, and what it says otherwise is not believed", async () => {
  let asked = 0;
  answer = (_, response) => {
    asked += 1;
    if (asked < 3) response.writeHead(503).end("<Error><Code>SlowDown</Code></Error>");
    else response.end();
  };
  await bucket().put(KEY, Buffer.from("abc"), "image/png");
  expect(asked).toBe(3);
  answer = (_, response) => void response.writeHead(404).end("<Error><Code>NoSuchBucket</Code><Message>SECRET</Message></Error>");
  expect(await faultOf(bucket().get(KEY))).toBe("The bucket answered 404 NoSuchBucket: there is no such bucket.");
  answer = (_, response) => void response.writeHead(418).end(`<Error><Code>${"x".repeat(9_999)}</Code></Error>`);
  expect(await faultOf(bucket().delete(KEY))).toBe("The bucket answered 418.");
});

test("a private address is never connected to, by number or by a name that changes its mind", async () => {
  const before = requests;
  const closed = createGuardedClient({ privateTargets: [] });
  expect(await faultOf(bucket(closed).get(KEY))).toContain("https");
  let asked = 0;
  const rebinding = createGuardedClient({
    privateTargets: [],
    resolve: async () => [{ address: asked++ === 0 ? "93.184.216.34" : "127.0.0.1", family: 4 }],
  });
  const port = new URL(endpoint).port;
  const named = openS3Images({
    address: { ...address(), endpoint: `https://bucket.example:${port}` },
    client: rebinding,
    clock: () => new Date(),
    patienceMillis: 300,
  });
  await faultOf(named.get(KEY));
  expect(await faultOf(named.get(KEY))).toContain("private or reserved");
  expect(requests).toBe(before);
  closed.close();
  rebinding.close();
});
