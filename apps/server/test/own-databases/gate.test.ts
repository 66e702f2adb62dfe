import { once } from "node:events";
import { connect, Server } from "node:net";
import { BSON, type Document } from "mongodb";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { readAddress } from "#adapters/own-databases/address";
import { type OpenedClient, openClient } from "#adapters/own-databases/driver";
import { createGate, type Gate } from "#adapters/own-databases/gate";
import { findSeeds } from "#adapters/own-databases/seeds";
import { allowedAddresses } from "#domain/network-addresses";
import type { Names } from "#ports/names";
import { makeCertificate } from "#test/certificate";
import { documentOf, HOSTILE, plain } from "./hostile-replies.ts";
import { testNames } from "./names.ts";
import { scriptedLogin } from "./scripted-login.ts";
import { HELLO, openScriptedCluster, type ScriptedCluster } from "./scripted-cluster.ts";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});
const closing = <T extends { close(): Promise<void> }>(opened: T): T => {
  closers.push(() => opened.close());
  return opened;
};
const openCluster = async (...args: Parameters<typeof openScriptedCluster>): Promise<ScriptedCluster> =>
  closing(await openScriptedCluster(...args));

const LIMITS = { selectionMillis: 1_500, answerMillis: 5_000, connections: 4, idleMillis: 60_000 };
const LOCAL = testNames({ addresses: { "db.test": "127.0.0.1" } });
const gateTo = (opened: true | readonly string[], names: Names = LOCAL, answerMillis = 5_000): Gate =>
  closing(createGate({ names, allowed: allowedAddresses(opened), timeoutMillis: 3_000, answerMillis }));

async function clientOf(gate: Gate, url: string, options: { ca?: readonly string[]; names?: Names } = {}): Promise<OpenedClient> {
  const address = { ...readAddress(url, { ca: true }), ca: options.ca ?? [] };
  return closing(await openClient(gate, address, await findSeeds(address, options.names ?? LOCAL), LIMITS));
}
const ping = (opened: OpenedClient) => opened.client.db("stet").command({ ping: 1 });
/** What the gate said about a client that could not do anything. */
async function refusalOf(opened: OpenedClient): Promise<string> {
  const result = ping(opened).then(
    () => "answered",
    () => "failed",
  );
  await expect.poll(() => opened.lastRefusal(), { interval: 10, timeout: 5_000 }).not.toBeNull();
  await opened.close();
  expect(await result).toBe("failed");
  return opened.lastRefusal()!.message;
}

let tls: { key: string; cert: string };
beforeAll(async () => {
  const { key, certificate } = await makeCertificate("db.test");
  tls = { key, cert: certificate };
});

test("a gate that could not open its port for a moment opens it for the next client", async () => {
  const cluster = await openCluster();
  const gate = gateTo(["127.0.0.1/32"]);
  const url = `mongodb://db.test:${cluster.port}/`;
  // As when the process has no file left to open.
  vi.spyOn(Server.prototype, "listen").mockImplementationOnce(function (this: Server) {
    setImmediate(() => this.emit("error", new Error("EMFILE")));
    return this;
  });
  await expect(clientOf(gate, url)).rejects.toThrow("EMFILE");
  expect(await ping(await clientOf(gate, url))).toEqual({ ok: 1 });
});

test("the driver speaks plainly to the gate, and the gate opens TLS that is verified", async () => {
  const cluster = await openCluster({ tls });
  const gate = gateTo(["127.0.0.1/32"]);
  const url = `mongodb://db.test:${cluster.port}/?tls=true`;
  expect(await ping(await clientOf(gate, url, { ca: [tls.cert] }))).toEqual({ ok: 1 });
  expect(await refusalOf(await clientOf(gate, url))).toMatch(/self-signed/);
  const names = testNames({ addresses: { "other.test": "127.0.0.1" } });
  const elsewhere = gateTo(["127.0.0.1/32"], names);
  const wrongName = await clientOf(elsewhere, url.replace("db.test", "other.test"), { ca: [tls.cert], names });
  expect(await refusalOf(wrongName)).toMatch(/another host name/);
});

test("TLS 1.1 is refused", async () => {
  const cluster = await openCluster({ tls: { ...tls, minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" } });
  const url = `mongodb://db.test:${cluster.port}/?tls=true`;
  expect(await refusalOf(await clientOf(gateTo(["127.0.0.1/32"]), url, { ca: [tls.cert] }))).toMatch(/TLS 1\.2 or newer/);
});

test("plain TCP and low ports are only for networks that the operator opened", async () => {
  const cluster = await openCluster();
  const names = testNames({ addresses: { "public.test": "93.184.216.34", "db.test": "127.0.0.1" } });
  const gate = gateTo(["127.0.0.1/32"], names);
  expect(await ping(await clientOf(gate, `mongodb://db.test:${cluster.port}/`, { names }))).toEqual({ ok: 1 });
  expect(await refusalOf(await clientOf(gate, "mongodb://public.test/", { names }))).toMatch(/must be encrypted/);
  expect(await refusalOf(await clientOf(gate, "mongodb://public.test:25/?tls=true", { names }))).toMatch(/Port 25/);
});

test("private addresses are refused as literals, behind names, behind SRV records and after a name changed its mind", async () => {
  const inside = await openCluster();
  let asked = 0;
  const names = testNames({
    addresses: {
      "inside.test": "127.0.0.1",
      "six.test": "::ffff:127.0.0.1",
      "a.c.test": "127.0.0.1",
      "rebinding.test": () => (asked++ === 0 ? "93.184.216.34" : "127.0.0.1"),
    },
    services: { "_mongodb._tcp.x.c.test": [{ name: "a.c.test", port: inside.port }] },
  });
  const gate = gateTo([], names);
  await names.addresses("rebinding.test");
  for (const host of ["127.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "inside.test", "six.test", "rebinding.test"]) {
    const opened = await clientOf(gate, `mongodb://${host}:${inside.port}/?tls=true`, { names });
    expect(await refusalOf(opened)).toMatch(/private or reserved/);
  }
  expect(await refusalOf(await clientOf(gate, "mongodb+srv://x.c.test/", { names }))).toMatch(/private or reserved/);
  expect(inside.connections).toBe(0);
});

test("an SRV record leads to hosts of its own domain only, and its TXT record sets nothing but what it may", async () => {
  const find = (services: readonly { name: string; port: number }[], texts: readonly string[] = []) =>
    findSeeds(
      readAddress("mongodb+srv://u:p@x.c.test/"),
      testNames({ services: { "_mongodb._tcp.x.c.test": services }, texts: texts.length > 0 ? { "x.c.test": texts } : {} }),
    );
  const own = [{ name: "A.c.test.", port: 27_017 }];
  expect(await find(own, ["authSource=users&replicaSet=rs0"])).toEqual({
    hosts: [{ name: "a.c.test", port: 27_017 }],
    authSource: "users",
    replicaSet: "rs0",
  });
  await expect(find([{ name: "a.evil.test", port: 1 }])).rejects.toThrow(/another domain/);
  await expect(find([{ name: "evilc.test", port: 1 }])).rejects.toThrow(/another domain/);
  await expect(find([])).rejects.toThrow(/1 to 50/);
  await expect(find(own, ["proxyHost=127.0.0.1"])).rejects.toThrow(/not supported/);
  await expect(find(own, ["authSource=a", "authSource=b"])).rejects.toThrow(/not supported/);
  await expect(findSeeds(readAddress("mongodb+srv://no.c.test/"), testNames({}))).rejects.toThrow(
    /SRV record of no\.c\.test was not found/,
  );
});

test("a replica set that announces private members or sockets does not get us there", async () => {
  const victim = await openCluster({ host: "127.0.0.2" });
  const cluster = await openCluster();
  const gate = gateTo(["127.0.0.1/32"]);
  const announce = (hosts: readonly string[]) => ({
    ...HELLO,
    setName: "rs",
    hosts,
    setVersion: 1,
    isWritablePrimary: false,
    ismaster: false,
  });
  for (const [member, reason] of [
    [`127.0.0.2:${victim.port}`, /private or reserved/],
    ["/tmp/mongodb-27017.sock", /field hosts/],
    ["%2Ftmp%2Fmongodb-27017.sock", /field hosts/],
    ["2130706434:27017", /field hosts/],
  ] as const) {
    cluster.script = { hello: announce([member]) };
    expect(await refusalOf(await clientOf(gate, `mongodb://db.test:${cluster.port}/?replicaSet=rs`))).toMatch(reason);
  }
  expect(victim.connections).toBe(0);
});

test("members that a set announces keep verified TLS under their own names", async () => {
  const member = await openCluster({ tls });
  const seed = await openCluster({ tls: await makeCertificate("seed.test").then(({ key, certificate }) => ({ key, cert: certificate })) });
  const hosts = [`db.test:${member.port}`];
  seed.script = {
    hello: { ...HELLO, setName: "rs", setVersion: 1, hosts, ismaster: false, isWritablePrimary: false, secondary: true, me: "x.test:1" },
  };
  member.script = { hello: { ...HELLO, setName: "rs", setVersion: 1, hosts, me: hosts[0] } };
  const names = testNames({ addresses: { "db.test": "127.0.0.1", "seed.test": "127.0.0.1" } });
  const url = `mongodb://seed.test:${seed.port},${hosts[0]}/?replicaSet=rs&tls=true`;
  const opened = await clientOf(gateTo(["127.0.0.1/32"], names), url, { names, ca: [tls.cert] });
  expect(await ping(opened)).toEqual({ ok: 1 });
  // The certificate of the first is not for a pasted authority: it was not believed.
  expect(opened.lastRefusal()?.message).toMatch(/seed\.test/);
  expect(seed.commands).toEqual([]);
});

test("hostile replies end their connection, and memory stays bounded", async () => {
  const cluster = await openCluster();
  const gate = gateTo(["127.0.0.1/32"]);
  const before = process.memoryUsage.rss();
  let most = before;
  for (const [reason, bytes] of Object.entries(HOSTILE)) {
    const reply = bytes();
    for (const command of ["hello", "ping"]) {
      cluster.script = { [command]: () => reply };
      expect(await refusalOf(await clientOf(gate, `mongodb://db.test:${cluster.port}/`)), reason).toContain(reason.trim());
    }
    most = Math.max(most, process.memoryUsage.rss());
  }
  expect((most - before) / 1e6).toBeLessThan(100);
}, 90_000);

test("a long list of documents that are each of an ordinary size passes", async () => {
  const names = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`name ${n}`, n]));
  const found = Array.from({ length: 200 }, (_, n) => ({ _id: n, names, list: Array.from({ length: 1_000 }, () => "x") }));
  const cluster = await openCluster({ script: { find: { cursor: { id: BSON.Long.ZERO, ns: "stet.posts", firstBatch: found }, ok: 1 } } });
  const opened = await clientOf(gateTo(["127.0.0.1/32"]), `mongodb://db.test:${cluster.port}/`);
  expect(await opened.client.db("stet").collection("posts").find({}).toArray()).toHaveLength(200);
  expect(opened.lastRefusal()).toBeNull();
  await opened.close();
});

test("an answer in parts passes, and one that goes on for ever or under other names is refused", async () => {
  const part = (id: number, document: object | null, name = "nextBatch") => ({
    cursor: { id: BSON.Long.fromNumber(id), ns: "stet.posts", [name]: document ? [document] : [] },
    ok: 1,
  });
  const large = { text: "x".repeat(4_000_000) };
  let parts = 0;
  const next: Readonly<Record<string, () => Document>> = {
    "": () => part(++parts < 3 ? 7 : 0, large),
    "does not end": () => part(7, large),
    "does not end ": () => part(7, null),
    "belongs to another cursor": () => part(8 + ++parts, large),
  };
  const cluster = await openCluster();
  const gate = gateTo(["127.0.0.1/32"]);
  for (const [reason, getMore] of Object.entries(next)) {
    parts = 0;
    cluster.script = { find: part(7, { first: 1 }, "firstBatch"), getMore };
    const opened = await clientOf(gate, `mongodb://db.test:${cluster.port}/`);
    const found = await opened.client
      .db("stet")
      .collection("posts")
      .find({})
      .toArray()
      .then(({ length }) => length, String);
    if (reason === "") expect(found).toBe(4);
    else expect(found, reason).toMatch(/^Mongo/);
    expect(opened.lastRefusal()?.message ?? "").toContain(reason.trim());
    await opened.close();
  }
}, 60_000);

test("a greeting with a field of the wrong type never reaches the driver", async () => {
  const cluster = await openCluster();
  const gate = gateTo(["127.0.0.1/32"]);
  const id = new BSON.ObjectId();
  const wrong: Readonly<Record<string, readonly unknown[]>> = {
    hosts: [5, "a", [5], [""], ["a:99999"], { length: 1 }],
    me: [5, {}],
    setName: [{}, 5],
    electionId: ["a", { _bsontypX: "ObjectId" }],
    topologyVersion: [5, {}, { processId: id, counter: "x" }, { processId: { _bsontypX: "ObjectId" }, counter: 1 }],
    maxWireVersion: ["x"],
    maxBsonObjectSize: [0, -1],
    maxWriteBatchSize: [0],
    tags: [5, { a: {} }],
    lastWrite: [5, { lastWriteDate: 5 }],
    $clusterTime: [5, { clusterTime: 5 }],
    saslSupportedMechs: [5, [5]],
  };
  for (const [field, values] of Object.entries(wrong)) {
    for (const value of values) {
      cluster.script = { hello: { ...HELLO, [field]: value } };
      const opened = await clientOf(gate, `mongodb://db.test:${cluster.port}/`);
      expect(await refusalOf(opened), `${field}: ${JSON.stringify(value)}`).toContain(`field ${field} `);
    }
  }
}, 60_000);

test("a server cannot ask for endless work to prove a password", async () => {
  const proof = (rounds: number) => new BSON.Binary(Buffer.from(`r=abc,s=${Buffer.from("salt").toString("base64")},i=${rounds}`));
  const cluster = await openCluster({
    script: { hello: HELLO, saslStart: () => ({ conversationId: 1, payload: proof(2_000_000_000), done: false, ok: 1 }) },
  });
  const gate = gateTo(["127.0.0.1/32"]);
  const url = `mongodb://u:p@db.test:${cluster.port}/`;
  expect(await refusalOf(await clientOf(gate, url))).toMatch(/field payload/);
  cluster.script = { hello: { ...HELLO, speculativeAuthenticate: { conversationId: 1, payload: proof(999_999), done: false } } };
  expect(await refusalOf(await clientOf(gate, url))).toMatch(/field speculativeAuthenticate/);
});

test("a password is proven through the gate, and a wrong one is told", async () => {
  const cluster = await openCluster({ script: scriptedLogin("p@ss") });
  const gate = gateTo(["127.0.0.1/32"]);
  const at = `db.test:${cluster.port}/`;
  expect(await ping(await clientOf(gate, `mongodb://u:p%40ss@${at}`))).toEqual({ ok: 1 });
  await expect(ping(await clientOf(gate, `mongodb://u:wrong@${at}`))).rejects.toMatchObject({ code: 18 });
});

test("replies that nobody asked for end the connection", async () => {
  const reply = plain(documentOf(Buffer.alloc(0)));
  const cluster = await openCluster({ script: { ping: () => Buffer.concat([reply, reply]) } });
  const opened = await clientOf(gateTo(["127.0.0.1/32"]), `mongodb://db.test:${cluster.port}/`);
  await ping(opened).catch(() => {});
  await expect.poll(() => opened.lastRefusal()?.message).toMatch(/not asked for/);
});

test("an answer that drips in is given up in time", async () => {
  const reply = plain(Buffer.from(BSON.serialize({ text: "a".repeat(1_000), ok: 1 })));
  const cluster = await openCluster({ script: { ping: () => reply.subarray(0, 100) } });
  const opened = await clientOf(gateTo(["127.0.0.1/32"], LOCAL, 300), `mongodb://db.test:${cluster.port}/`);
  expect(await refusalOf(opened)).toMatch(/did not come in time/);
});

test("the port of the gate opens to nobody without the password of a client, and closes to one that was revoked", async () => {
  const cluster = await openCluster();
  const gate = gateTo(["127.0.0.1/32"]);
  const beyond = { tls: false, ca: [], deserialize: (bytes: Uint8Array) => BSON.deserialize(bytes), onRefusal: () => {} };
  const { pass, revoke } = await gate.admit(beyond);
  const attempt = async (user: string, password: string): Promise<number | undefined> => {
    const socket = connect(pass.proxyPort, pass.proxyHost);
    socket.on("error", () => {});
    socket.write(Buffer.from([5, 1, 2]));
    socket.write(Buffer.concat([Buffer.from([1, user.length]), Buffer.from(user), Buffer.from([password.length]), Buffer.from(password)]));
    const answers: Buffer[] = [];
    socket.on("data", (chunk: Buffer) => answers.push(chunk));
    await expect.poll(() => Buffer.concat(answers).length).toBe(4);
    const granted = Buffer.concat(answers)[3];
    if (granted !== 0 && !socket.closed) await once(socket, "close");
    socket.destroy();
    return granted;
  };
  expect(await attempt(pass.proxyUsername, pass.proxyPassword)).toBe(0);
  expect(await attempt(pass.proxyUsername, "x".repeat(64))).toBe(1);
  expect(await attempt("nobody", pass.proxyPassword)).toBe(1);
  revoke();
  expect(await attempt(pass.proxyUsername, pass.proxyPassword)).toBe(1);
  expect(cluster.connections).toBe(0);
});
