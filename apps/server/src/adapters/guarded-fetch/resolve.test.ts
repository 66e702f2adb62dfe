import { pbkdf2 } from "node:crypto";
import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createNames, createResolver, type Resolver } from "./resolve.ts";

const A = 1;
const TXT = 16;
const SRV = 33;
/** What is known of a name, by the kind of record. */
const RECORDS: Readonly<Record<number, readonly number[]>> = {
  [A]: [93, 184, 216, 34],
  [TXT]: [3, ...Buffer.from("a=b")],
  [SRV]: [0, 0, 0, 0, 0x69, 0x89, 1, ...Buffer.from("a"), 4, ...Buffer.from("test"), 0],
};
/** A name server that knows one address, knows that `none.test` is not there, and says nothing about anything else. */
let server: Socket;
let resolve: Resolver;
/** Gives up so late that it does not during a test. */
let patient: Resolver;
let asked = 0;

beforeAll(async () => {
  server = createSocket("udp4");
  server.on("message", (question, { port, address }) => {
    asked += 1;
    const end = question.indexOf(0, 12) + 5;
    const name = question.subarray(12, end - 4).toString("latin1");
    const isKnown = name.includes("known");
    if (!isKnown && !name.includes("none")) return;
    const kind = question.readUInt16BE(end - 4);
    const data = isKnown ? RECORDS[kind] : undefined;
    const hasAnswer = data !== undefined;
    const header = Buffer.from(question.subarray(0, 12));
    header.writeUInt16BE(isKnown ? 0x8180 : 0x8183, 2);
    header.writeUInt16BE(hasAnswer ? 1 : 0, 6);
    header.writeUInt32BE(0, 8);
    const record = Buffer.from([0xc0, 12, 0, kind, 0, 1, 0, 0, 0, 1, 0, data?.length ?? 0, ...(data ?? [])]);
    server.send(Buffer.concat([header, question.subarray(12, end), ...(hasAnswer ? [record] : [])]), port, address);
  });
  server.bind(0, "127.0.0.1");
  await once(server, "listening");
  const servers = [`127.0.0.1:${server.address().port}`];
  resolve = createResolver({ localNames: false, patienceMillis: 500, servers });
  patient = createResolver({ localNames: false, patienceMillis: 30_000, servers });
});
afterAll(() => void server.close());

test("a name is what the name servers say it is", async () => {
  expect(await resolve("known.test")).toEqual([{ address: "93.184.216.34", family: 4 }]);
});

test("the hosts behind a service and the texts of a name come from the same servers", async () => {
  const names = createNames({ localNames: false, patienceMillis: 500, servers: [`127.0.0.1:${server.address().port}`] });
  expect(await names.services("_mongodb._tcp.known.test")).toMatchObject([{ name: "a.test", port: 27_017 }]);
  expect(await names.texts("known.test")).toEqual(["a=b"]);
  await expect(names.services("_mongodb._tcp.none.test")).rejects.toMatchObject({ code: "ENOTFOUND" });
});

test("a name that does not exist is told apart from one that nobody answers for", async () => {
  await expect(resolve("none.test")).rejects.toMatchObject({ code: "ENOTFOUND" });
  await expect(resolve("silent.test")).rejects.toMatchObject({ code: "EAI_AGAIN" });
});

test("name servers that never answer hold up neither other names nor the threads that files and passwords need", async () => {
  const before = asked;
  const silent = Array.from({ length: 50 }, (_, i) => patient(`silent-${i}.test`).catch(() => "silent"));
  await expect.poll(() => asked - before).toBeGreaterThanOrEqual(100);
  const pending = Symbol("pending");
  const work = Promise.all([patient("known.test"), promisify(pbkdf2)("password", "salt", 1, 32, "sha256")]);
  await work;
  expect(await Promise.race([...silent, Promise.resolve(pending)])).toBe(pending);
});

test("names that only this machine knows are looked up only where private targets are allowed", async () => {
  const servers = [`127.0.0.1:${server.address().port}`];
  const local = createResolver({ localNames: true, patienceMillis: 100, servers });
  expect((await local("localhost")).map(({ address }) => address)).toContain("127.0.0.1");
  await expect(resolve("localhost")).rejects.toThrow();
});
