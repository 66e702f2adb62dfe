import { buffer } from "node:stream/consumers";
import { expect, test } from "vitest";
import { openS3Images } from "#adapters/s3-images/s3-images";
import { faultOf, hostileServer, hostileStoreContract, listed as listedIn } from "#test/hostile-stores";

const server = hostileServer();
const { answer } = server;
const open = ({ endpoint = server.endpoint(), client = server.client, patienceMillis = 20_000 } = {}) =>
  openS3Images({
    address: {
      endpoint,
      bucket: "pictures",
      region: "us-east-1",
      style: "path",
      accessKeyId: "KEY",
      secretAccessKey: "SECRET",
      sessionToken: "TOKEN",
    },
    client,
    clock: () => new Date(),
    patienceMillis,
  });
const bucket = () => open();
const listed = () => listedIn(bucket());
const KEY = "site_1/media_1.png";
const page = (keys: readonly string[], more = "") =>
  `<?xml version="1.0"?><ListBucketResult><IsTruncated>${more === "" ? "false" : "true"}</IsTruncated>${keys
    .map((key) => `<Contents><Key>${key}</Key><Size>1</Size></Contents>`)
    .join("")}</ListBucketResult>`;

hostileStoreContract(server, open);

test("every request signs the hash of its payload and carries the session token; the secret is never sent", async () => {
  const seen: string[] = [];
  answer((request, response) => {
    seen.push(JSON.stringify(request.headers), request.url!);
    response.end();
  });
  await bucket().put(KEY, Buffer.from("abc"), "image/png");
  expect(seen[0]).toContain('"x-amz-content-sha256":"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"');
  expect(seen[0]).toContain("SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-security-token");
  expect(seen[0]).toContain('"x-amz-security-token":"TOKEN"');
  expect(seen.join()).not.toContain("SECRET");
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
    answer((_, response) => void response.end(xml));
    expect(await faultOf(listed()), xml).toContain(fault);
  }
  answer((_, response) => void response.end(page([KEY, "site_1/a&amp;b", "site_1/media_2.png"])));
  expect(await listed()).toEqual([KEY, "site_1/media_2.png"]);
});

test("another part than was asked for never reaches a reader", async () => {
  const read = () => buffer(bucket().read(KEY, 2, 5));
  answer((_, response) => void response.end("whole file"));
  expect(await faultOf(read())).toContain("does not send parts");
  answer((_, response) => void response.writeHead(206, { "Content-Range": "bytes 0-3/10" }).end("0123"));
  expect(await faultOf(read())).toContain("another part");
  answer((_, response) => void response.writeHead(206, { "Content-Range": "bytes 2-5/10" }).end("23456789"));
  expect(await faultOf(read())).toContain("more than was asked for");
  answer((_, response) => void response.writeHead(206, { "Content-Range": "bytes 2-5/10" }).end("23"));
  expect(await faultOf(read())).toContain("less than was asked for");
});

test("a server that is busy is asked again, and what it says otherwise is not believed", async () => {
  let asked = 0;
  answer((_, response) => {
    asked += 1;
    if (asked < 3) response.writeHead(503).end("<Error><Code>SlowDown</Code></Error>");
    else response.end();
  });
  await bucket().put(KEY, Buffer.from("abc"), "image/png");
  expect(asked).toBe(3);
  answer((_, response) => void response.writeHead(404).end("<Error><Code>NoSuchBucket</Code><Message>SECRET</Message></Error>"));
  expect(await faultOf(bucket().get(KEY))).toBe("The bucket answered 404 NoSuchBucket: there is no such bucket.");
  answer((_, response) => void response.writeHead(418).end(`<Error><Code>${"x".repeat(9_999)}</Code></Error>`));
  expect(await faultOf(bucket().delete(KEY))).toBe("The bucket answered 418.");
});
