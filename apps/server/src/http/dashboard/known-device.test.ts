import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { createKeyring } from "#adapters/keyring/keyring";
import { createKnownDevices } from "./known-device.ts";

const SECRET = "a secret of at least 32 characters";
const opened = (publicUrl: string, secrets = [SECRET]) =>
  createKnownDevices({
    keyring: createKeyring(secrets),
    settings: { publicUrl, defaultPlan: "free", firstPlan: "unlimited", planChanges: "owner", outgoingAddresses: [] },
  });
const withCookie = (cookie: string) => ({ headers: { cookie } }) as IncomingMessage;
const nobody = { headers: {} } as IncomingMessage;

test("under https the cookie is Secure and says so by its name", () => {
  expect(opened("https://stet.test").remember(nobody, "ada@example.com")).toMatch(
    /^__Secure-stet\.known_device=.*; HttpOnly; SameSite=Lax; Secure$/,
  );
  expect(opened("http://localhost:4000").remember(nobody, "ada@example.com")).toMatch(/^stet\.known_device=.*; HttpOnly; SameSite=Lax$/);
});

test("a device is known to its account only, among other cookies, and after the server secret was rotated", () => {
  const [cookie = ""] = opened("http://localhost:4000").remember(nobody, "ada@example.com").split(";");
  const request = withCookie(`theme=dark; ${cookie}; x=1`);
  const device = opened("http://localhost:4000").find(request, "ada@example.com");
  expect(device).toMatch(/^[\w-]{22}$/);
  expect(opened("http://localhost:4000", ["a newer secret of 32 characters!", SECRET]).find(request, "ada@example.com")).toBe(device);
  expect(opened("http://localhost:4000").find(request, "eve@example.com")).toBeNull();
  expect(opened("http://localhost:4000", ["another install's secret, as long"]).find(request, "ada@example.com")).toBeNull();
  for (const forged of ["", "stet.known_device=", "stet.known_device=.", "stet.known_device=a.b.c", cookie.slice(0, -1)]) {
    expect(opened("http://localhost:4000").find(withCookie(forged), "ada@example.com"), forged).toBeNull();
  }
});
