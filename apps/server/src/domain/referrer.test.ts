import { expect, test } from "vitest";
import { referrerHost } from "./referrer.ts";

test.each([
  ["https://www.News.Example/private?token=1", "news.example"],
  ["http://news.example:8080/", "news.example"],
  ["https://news.example./", "news.example"],
  ["https://bücher.example/", "xn--bcher-kva.example"],
  ["https://user:password@news.example/", "news.example"],
])("%s came from %s: the host, and nothing that could tell who", (referrer, host) => {
  expect(referrerHost(referrer, "example.com")).toBe(host);
});

test.each([
  "",
  "nothing",
  "https://example.com/other",
  "https://www.example.com/other",
  "android-app://com.example",
  "javascript:alert(1)",
  "data:text/html,x",
  "file:///home/ann",
  "http://localhost:3000/",
  "http://192.0.2.7/",
  "http://[2001:db8::7]/",
  "http://0x7f.1/",
  `https://${"a".repeat(63)}.${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(63)}.example/`,
])("no referrer: %s", (referrer) => {
  expect(referrerHost(referrer, "www.example.com")).toBeNull();
});
