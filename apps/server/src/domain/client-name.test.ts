import { expect, test } from "vitest";
import { cleanClientName, clientLabel } from "./client-name.ts";

test.each([
  ["Claude", "Claude"],
  ["Claude ✓ verified: claude.ai", "Claude verified: claude.ai"],
  ["✅ Claude ✔️ ☑ 🛡️ ⭐", "Claude"],
  ["Claude” verified by claude.ai “", "Claude' verified by claude.ai '"],
  ['Claude" («ok») „yes‟', "Claude' ('ok') 'yes'"],
  ["\u202eedualC\u2066\u200b\ufeff", "edualC"],
  ["Claude\u2800\u3164\u115f\u00a0\u2003\u180eok", "Claude ok"],
  ["Ｃｌａｕｄｅ 𝐂𝐨𝐝𝐞", "Claude Code"],
  ["C\u0301\u0301\u0301\u0301\u0301\u0301laude", "\u0106\u0301\u0301\u0301laude"],
  ["A\u20dd B\u20e0", "A B"],
  ["C++ <tools> & $more", "C++ <tools> & $more"],
  ["Писатель 助手 עוזר", "Писатель 助手 עוזר"],
  ["\n\t\u2800", "Unnamed app"],
  [42, "Unnamed app"],
  ["x".repeat(61), `${"x".repeat(59)}…`],
  ["Trusted by Stet. ".repeat(9), "Trusted by Stet. Trusted by Stet. Trusted by Stet. Trusted…"],
])("the name %j is read as %j", (given, read) => {
  expect(cleanClientName(given)).toBe(read);
  // It is cleaned when it is registered and again when it is shown.
  expect(cleanClientName(read)).toBe(read);
});

const label = (host: string | null, redirectHost: string | null, name = "Claude ✓", kind: "ai" | "cli" | "ci" = "ai") =>
  clientLabel({ kind, client: { id: "x", name, host, redirectHost } });

test("an app is called by the host that has the access, and its own name is quoted", () => {
  expect(label("claude.ai", "claude.ai")).toBe("claude.ai (“Claude”)");
  expect(label("evil.example", "localhost:5999")).toBe("evil.example (“Claude”)");
  expect(label(null, "evil.example")).toBe("evil.example (“Claude”)");
  expect(label(null, "localhost.evil.example")).toBe("localhost.evil.example (“Claude”)");
  for (const redirect of ["localhost:5999", "127.0.0.1:1", "[::1]:80", "cursor:", "com.example.app:"])
    expect(label(null, redirect)).toBe("App on a computer (“Claude”)");
  expect(label(null, null, "Nightly build", "ci")).toBe("Nightly build");
  expect(label(null, null, "Stet command line", "cli")).toBe("Stet command line");
});
