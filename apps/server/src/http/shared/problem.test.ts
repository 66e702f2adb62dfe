import { expect, test } from "vitest";
import { Failure, fail } from "#domain/failure";
import { createDispatcher } from "../dispatcher.ts";
import { isOutage } from "./problem.ts";
import { startHttpServer } from "../server.ts";

const withFacts = (facts: object, message = "no") => Object.assign(new Error(message), facts);

test.each([
  ["a Unix socket that is gone", withFacts({ code: "ENOENT", syscall: "connect" })],
  ["a host whose name is not known", withFacts({ code: "ENOTFOUND", syscall: "getaddrinfo" })],
  ["a name with several addresses that all refuse", new AggregateError([withFacts({ code: "ECONNREFUSED", syscall: "connect" })])],
  ["a server with no connection left", withFacts({ code: "53300" })],
  ["a server that stops", withFacts({ code: "57P01" })],
  ["a disk that is full", withFacts({ code: "53100" })],
  ["a connection that ended", new Error("Connection terminated unexpectedly")],
])("%s is an outage, which passes by itself", (_, error) => {
  expect(isOutage(error)).toBe(true);
});

test.each([
  ["a file that is missing", withFacts({ code: "ENOENT", syscall: "open" })],
  ["text that no column takes", withFacts({ code: "22021" })],
  ["two rows with one key", withFacts({ code: "23505" })],
  ["a fault of ours", new TypeError("undefined is not a function")],
  ["a refusal", fail("NOT_FOUND", "Nothing is here.")],
  ["no error at all", "Connection terminated"],
])("%s is none", (_, error) => {
  expect(isOutage(error)).toBe(false);
});

test("why a store failed stands in the log and not in the answer", async () => {
  const logged: unknown[] = [];
  const failure = new Failure("UNAVAILABLE", "The store of the images cannot be used at the moment.");
  failure.cause = new Error("ENOSPC: /var/lib/stet/media");
  const publicUrl = "http://127.0.0.1";
  const handle = createDispatcher({
    publicUrl,
    log: { debug() {}, info() {}, error: (facts) => logged.push((facts as { err: unknown }).err) },
    checks: [],
    isStopping: () => false,
    routes: [],
    fallback: () => Promise.reject(failure),
  });
  const server = await startHttpServer({ host: "127.0.0.1", port: 0, publicUrl, handle });
  const answer = await fetch(`http://127.0.0.1:${server.port}/`);
  expect([answer.status, await answer.text()]).toEqual([503, expect.not.stringContaining("ENOSPC")]);
  expect(logged).toEqual([failure]);
  await server.stop(0);
});
