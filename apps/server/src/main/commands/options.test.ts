import { describe, expect, test } from "vitest";
import { readBootstrapOptions } from "./bootstrap-options.ts";
import { readArguments } from "./options.ts";

describe("the command line", () => {
  test("bootstrap as the documentation writes it is understood", () => {
    const line = [
      "--email",
      "Ada@Example.com",
      "--password",
      " p w ",
      "--workspace",
      "W",
      "--website=S",
      "--plan",
      "team",
      "--posts",
      "1000",
      "--json",
    ];
    expect(readBootstrapOptions(line)).toEqual({
      email: "ada@example.com",
      password: " p w ",
      workspace: "W",
      website: "S",
      plan: "team",
      posts: 1_000,
      json: true,
    });
  });

  test("every problem is listed at once", () => {
    const message = (() => {
      try {
        readBootstrapOptions(["--email", "nobody", "--plan", "gold", "--posts", "-1", "--colour", "blue", "--website", " "]);
        return "";
      } catch (error) {
        return (error as Error).message;
      }
    })();
    for (const part of [
      "--password is missing",
      "--workspace is missing",
      "--website must not be empty",
      "not an email address",
      "--plan must be one of",
      "--posts must be a number",
      "--colour is not an option",
      "is not expected",
      "Usage: stet bootstrap",
    ]) {
      expect(message).toContain(part);
    }
  });

  test("an option given twice or without a value is a problem, and -- ends the options", () => {
    const read = readArguments(["--out", "a", "--out=b", "--json=yes", "--", "--file"], {
      values: ["out"],
      flags: ["json"],
      positionals: 1,
    });
    expect(read.problems).toEqual(["--out is given twice.", "--json takes no value."]);
    expect(read.positionals).toEqual(["--file"]);
    expect(readArguments(["--out"], { values: ["out"] }).problems).toEqual(["--out needs a value."]);
  });
});
