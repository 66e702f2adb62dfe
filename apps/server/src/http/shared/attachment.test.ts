import { expect, test } from "vitest";
import { attachment } from "./attachment.ts";

test("a name outside of ASCII comes encoded, with a plain one beside it", () => {
  expect(attachment("Blog 2026-11-15.ndjson")).toBe(
    `attachment; filename="Blog 2026-11-15.ndjson"; filename*=UTF-8''Blog%202026-11-15.ndjson`,
  );
  expect(attachment("Müller’s (日本).ndjson")).toBe(
    `attachment; filename="Muller_s (__).ndjson"; filename*=UTF-8''M%C3%BCller%E2%80%99s%20%28%E6%97%A5%E6%9C%AC%29.ndjson`,
  );
});

test("a name cannot break out of the header", () => {
  expect(attachment(`a"; filename=evil\r\nSet-Cookie: x=\\.ndjson`)).toBe(
    `attachment; filename="a_; filename=evil__Set-Cookie: x=_.ndjson"; filename*=UTF-8''a%22%3B%20filename%3Devil%0D%0ASet-Cookie%3A%20x%3D%5C.ndjson`,
  );
});
