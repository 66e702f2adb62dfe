import { expect, test } from "vitest";
import { readAddress, shownAddress } from "./address.ts";
import { readCertificates } from "./pasted-certificates.ts";

const refusal = (url: string, ca = false): string => {
  try {
    readAddress(url, { ca });
  } catch (error) {
    return (error as Error).message.replace("url: ", "");
  }
  return "";
};

const HANDED_OUT = {
  Atlas: {
    url: "mongodb+srv://stet:s3cret@cluster0.ab1cd.mongodb.net/?retryWrites=true&w=majority&appName=Cluster0",
    shown: "mongodb+srv://cluster0.ab1cd.mongodb.net/stet",
    read: { srv: true, tls: true, options: { retryWrites: true } },
  },
  "Atlas, without SRV": {
    url: "mongodb://stet:s3cret@c0-shard-00-00.ab1cd.mongodb.net:27017,c0-shard-00-01.ab1cd.mongodb.net:27017/blog?ssl=true&replicaSet=atlas-12ab3c-shard-0&authSource=admin&retryWrites=true&w=majority&appName=Cluster0",
    shown: "mongodb://c0-shard-00-00.ab1cd.mongodb.net:27017,c0-shard-00-01.ab1cd.mongodb.net:27017/blog",
    read: { srv: false, tls: true, authSource: "admin", options: { replicaSet: "atlas-12ab3c-shard-0", retryWrites: true } },
  },
  DocumentDB: {
    url: "mongodb://stet:s3cret@blog.cluster-cabc123.eu-central-1.docdb.amazonaws.com:27017/?tls=true&tlsCAFile=global-bundle.pem&replicaSet=rs0&readPreference=secondaryPreferred&retryWrites=false",
    shown: "mongodb://blog.cluster-cabc123.eu-central-1.docdb.amazonaws.com:27017/stet",
    read: { srv: false, tls: true, options: { replicaSet: "rs0", retryWrites: false } },
  },
  "Cosmos DB (RU)": {
    url: "mongodb://stet:s3cret@stet.mongo.cosmos.azure.com:10255/?ssl=true&replicaSet=globaldb&retrywrites=false&maxIdleTimeMS=120000&appName=@stet@",
    shown: "mongodb://stet.mongo.cosmos.azure.com:10255/stet",
    read: { srv: false, tls: true, options: { replicaSet: "globaldb", retryWrites: false } },
  },
  "Cosmos DB (vCore)": {
    url: "mongodb+srv://stet:s3cret@blog.global.mongocluster.cosmos.azure.com/?tls=true&authMechanism=SCRAM-SHA-256&retrywrites=false&maxIdleTimeMS=120000",
    shown: "mongodb+srv://blog.global.mongocluster.cosmos.azure.com/stet",
    read: { srv: true, tls: true, options: { authMechanism: "SCRAM-SHA-256", retryWrites: false } },
  },
} as const;

test.each(Object.entries(HANDED_OUT))("the address that %s hands out is read, and shown without user and password", (_, vector) => {
  const address = readAddress(vector.url, { ca: true });
  expect(address).toMatchObject({ user: { name: "stet", password: "s3cret" }, ...vector.read });
  expect(address.options).toEqual(vector.read.options);
  expect(shownAddress(address)).toBe(vector.shown);
});

test("a key of Cosmos DB keeps its equals signs; percent-encoded signs are decoded", () => {
  expect(readAddress("mongodb://a:kEy%2F+==@h.test:10255/?ssl=true").user).toEqual({ name: "a", password: "kEy/+==" });
  expect(readAddress("mongodb://a%40b:p%3A%25@[2001:db8::1]:27018,h.test/d").hosts).toEqual([
    { name: "2001:db8::1", port: 27_018 },
    { name: "h.test", port: 27_017 },
  ]);
});

test("the user is known where the address says: in an option, else in the database it names", () => {
  const sources = ["", "blog", "blog?authSource=users"].map((end) => readAddress(`mongodb://u:p@h.test/${end}`).authSource);
  expect(sources).toEqual([null, "blog", "users"]);
});

test("without a word about TLS, mongodb+srv:// means with it and mongodb:// without", () => {
  expect([readAddress("mongodb://h.test").tls, readAddress("mongodb+srv://a.h.test").tls]).toEqual([false, true]);
});

test.each([
  ["mongodb://h.test/?proxyHost=127.0.0.1", /option proxyHost is not supported/],
  ["mongodb://h.test/?tlsCertificateKeyFile=/etc/passwd", /option tlsCertificateKeyFile is not supported/],
  ["mongodb://h.test/?authMechanism=MONGODB-AWS", /authMechanism must be SCRAM/],
  ["mongodb://h.test/?authSource=$external", /authSource must be the name/],
  ["mongodb://h.test/?tlsAllowInvalidCertificates=true", /tlsAllowInvalidCertificates turns off/],
  ["mongodb://h.test/?compressors=zlib", /compressors is not supported/],
  ["mongodb://h.test/?loadBalanced=true", /loadBalanced is not supported/],
  ["mongodb://h.test/?tls=true&ssl=false", /given twice/],
  ["mongodb://h.test/?tls=maybe", /tls must be true or false/],
  ["mongodb://h.test/?pa%20ss=1", /cannot be read/],
  ["mongodb://h.test/?tls=%zz", /cannot be read/],
  ["mongodb://h.test/?__proto__=1", /option __proto__ is not supported/],
  ["mongodb://h.test/?tlsCAFile=a.pem", /Paste the certificates/],
  ["mongodb://%2Ftmp%2Fmongodb-27017.sock/stet", /Sockets/],
  ["mongodb:///tmp/mongodb-27017.sock", /host/i],
  ["mongodb://h.sock/stet", /Sockets/],
  ["mongodb://0x7f.1/", /host/],
  ["mongodb://2130706433/", /host/],
  ["mongodb://127.1/", /host/],
  ["mongodb://[fe80::1%25eth0]/", /Sockets and percent/],
  ["mongodb://h.test:0/", /host/],
  ["mongodb://h.test:65536/", /host/],
  ["mongodb://h.test,,b.test/", /host/],
  [`mongodb://${Array.from({ length: 51 }, (_, n) => `h${n}.test`).join()}/`, /more than 50/],
  ["mongodb+srv://a.h.test:27017/", /no port/],
  ["mongodb+srv://h.test/", /three parts/],
  ["mongodb+srv://a.h.test,b.h.test/", /one host name/],
  ["mongodb+srv://127.0.0.1/", /one host name/],
  ["mongodb+srv://a.h.test/?directConnection=true", /directConnection/],
  ["mongodb://a.test,b.test/?directConnection=true", /one host only/],
  ["mongodb://h.test/admin", /cannot have this name/],
  ["mongodb://h.test/a.b", /cannot have this name/],
  ["mongodb://h.test/a/b", /cannot have this name/],
  ["mongodb://u:<db_password>@h.test/", /placeholder/],
  ["mongodb://u:pa/ss@h.test/", /%2F/],
  ["mongodb://u:pa@ss@h.test/", /percent-encoded/],
  ["mongodb://u:pa%ss@h.test/", /percent-encoded/],
  ["mongodb://u@h.test/", /no user name or no password/],
  ["postgres://h.test/", /starts with mongodb/],
  ["mongodb://h .test/", /without spaces/],
  ["mongodb://hé.test/", /starts with mongodb/],
  [`mongodb://h.test/?appName=${"a".repeat(2_000)}`, /longer than 2,000/],
])("wrong address %# is refused with a reason", (url, reason) => {
  expect(refusal(url)).toMatch(reason);
});

test("a refusal never repeats the password", () => {
  for (const url of ["mongodb://u:hunter2/x@h.test", "mongodb://u:hunter2?x@h.test", "mongodb://u:hunter2&y=%@h.test/?x"])
    expect(refusal(url)).not.toMatch(/^$|hunter2/);
});

test("pasted certificates are parsed, and a private key is refused", async () => {
  const { makeCertificate } = await import("#test/certificate");
  const { certificate, key } = await makeCertificate("db.test");
  expect(readCertificates(`# ours\n${certificate}\ntext\n${certificate}`)).toHaveLength(2);
  expect(() => readCertificates(certificate + key)).toThrow(/private key/);
  expect(() => readCertificates("hello")).toThrow(/starts with/);
  expect(() => readCertificates(certificate.replace(/\n[A-Za-z0-9+/]{20}/, "\nAAAA"))).toThrow(/Certificate 1 cannot be read/);
  expect(() => readCertificates(certificate.repeat(301))).toThrow(/more than 300/);
});
