import { buffer } from "node:stream/consumers";
import { expect, test } from "vitest";
import { openCloudinaryImages } from "#adapters/cloudinary-images/cloudinary-images";
import { FAKE_ACCOUNT } from "#test/fake-cloudinary";
import { faultOf, hostileServer, hostileStoreContract, listed } from "#test/hostile-stores";

const server = hostileServer();
const { answer } = server;
const open = ({ endpoint = server.endpoint(), client = server.client, patienceMillis = 20_000 } = {}) =>
  openCloudinaryImages({
    address: { ...FAKE_ACCOUNT, api: endpoint, delivery: endpoint },
    client,
    clock: () => new Date(),
    patienceMillis,
  });
const KEY = "site_1/media_1.png";
const json = (value: unknown) => answer((_, response) => void response.end(JSON.stringify(value)));

hostileStoreContract(server, open);

test("the secret is sent with the list, which is asked for over TLS, and with nothing else", async () => {
  const seen: string[] = [];
  answer((request, response) => {
    request.on("data", (piece: Buffer) => seen.push(piece.toString("latin1")));
    request.on("end", () => seen.push(JSON.stringify(request.headers), request.url!));
    response.end("{}");
  });
  await faultOf(open().put(KEY, Buffer.from("abc"), "image/png"));
  await faultOf(open().delete(KEY));
  await faultOf(open().get(KEY));
  expect(seen.join()).toContain(FAKE_ACCOUNT.apiKey);
  expect(seen.join()).not.toContain(FAKE_ACCOUNT.apiSecret);
  expect(seen.join()).not.toContain("authorization");
});

test("an answer to an upload or a removal that is no JSON, or says something else, is a fault", async () => {
  for (const text of ["<html>", "", "[]", "null", '{"public_id":"site_1/media_1"', "{}", '{"public_id":"site_2/media_1","bytes":3}']) {
    answer((_, response) => void response.end(text));
    expect(await faultOf(open().put(KEY, Buffer.from("abc"), "image/png")), text).toMatch(/not the JSON|another name/);
    expect(await faultOf(open().delete(KEY)), text).toMatch(/not the JSON|did not say/);
  }
  json({ public_id: "site_1/media_1", format: "png", bytes: 4 });
  expect(await faultOf(open().put(KEY, Buffer.from("abc"), "image/png"))).toContain("changed the image");
});

test("a list that is no JSON, names other websites' files or goes in circles is a fault", async () => {
  const image = (id: unknown, format: unknown = "png") => ({ public_id: id, format });
  const cases: readonly (readonly [unknown, string])[] = [
    ["text", "not the JSON"],
    [{}, "not what it describes"],
    [{ resources: [null] }, "not what it describes"],
    [{ resources: [image(1)] }, "not what it describes"],
    [{ resources: [image("site_1/a", 1)] }, "not what it describes"],
    [{ resources: [], next_cursor: 1 }, "not what it describes"],
    [{ resources: [image("site_1/a"), image("site_2/a")] }, "not asked for"],
    [{ resources: [image("site_1/a")], next_cursor: "x" }, "same page again"],
    [{ resources: [], next_cursor: "x" }, "same page again"],
  ];
  for (const [value, fault] of cases) {
    json(value);
    expect(await faultOf(listed(open())), JSON.stringify(value)).toContain(fault);
  }
  json({ resources: [image("site_1/a"), image("site_1/../b"), image("site_1/c d")] });
  expect(await listed(open())).toEqual(["site_1/a.png"]);
});

test("another part than was asked for never reaches a reader", async () => {
  const read = () => buffer(open().read(KEY, 2, 5));
  const part = (range: string, text: string) =>
    answer((_, response) => void response.writeHead(206, { "Content-Range": `bytes ${range}` }).end(text));
  part("0-3/10", "0123");
  expect(await faultOf(read())).toContain("another part");
  part("2-5/10", "23456789");
  expect(await faultOf(read())).toContain("more than was asked for");
  part("2-5/10", "23");
  expect(await faultOf(read())).toContain("less than was asked for");
  answer((_, response) => void response.end("012"));
  expect(await faultOf(read())).toContain("less than was asked for");
});

test("what it says otherwise is told by its number and in words of ours", async () => {
  const refuse = (status: number, message: string) =>
    answer((_, response) => void response.writeHead(status, { "x-cld-error": "SECRET" }).end(JSON.stringify({ error: { message } })));
  refuse(420, "Rate Limit Exceeded. Limit of 500 api operations reached. SECRET");
  expect(await faultOf(listed(open()))).toBe("Cloudinary answered 420: the account may not ask more this hour.");
  refuse(400, "File size too large. Got 15000000. Maximum is 10485760.");
  expect(await faultOf(open().put(KEY, Buffer.from("abc"), "image/png"))).toContain("larger than the plan of this account allows");
  refuse(418, "x".repeat(9_999));
  expect(await faultOf(open().get(KEY))).toBe("Cloudinary answered 418.");
});
