import { expect, test } from "vitest";
import { idFromBytes, isId, newId } from "#domain/ids";

test("ids made one after the other sort in that order, also within a millisecond", () => {
  const ids = Array.from({ length: 2_000 }, () => newId("post", 1_700_000_000_000));
  expect([...ids].sort()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
});

test("ids of requests in between do not disturb the order", () => {
  const ids = Array.from({ length: 200 }, () => {
    newId("request");
    return newId("post", 1_700_000_000_001);
  });
  expect([...ids].sort()).toEqual(ids);
});

test("ids of requests differ, also within a millisecond, and those of another millisecond have nothing of the last", () => {
  const ids = Array.from({ length: 4_000 }, () => newId("request", 1_700_000_000_002));
  expect(new Set(ids).size).toBe(ids.length);
  expect([...ids].sort()).toEqual(ids);
  for (const id of ids) expect(isId("request", id)).toBe(true);
  expect(newId("request", 1_700_000_000_003).slice(-12)).not.toBe(ids[0]!.slice(-12));
});

test("an id is recognised by its prefix and its 26 characters", () => {
  const id = newId("post");
  expect(isId("post", id)).toBe(true);
  expect(isId("website", id)).toBe(false);
  for (const wrong of [
    id.slice(0, -1),
    `${id}0`,
    id.toUpperCase(),
    id.replace("post_", "post-"),
    `post_${"u".repeat(26)}`,
    `post_8${"0".repeat(25)}`,
    "",
  ]) {
    expect(isId("post", wrong)).toBe(false);
  }
});

test("an id carries a UUIDv7: the known value of the TypeID specification decodes the same", () => {
  // 01890a5d-ac96-774b-bcce-b302099a8057 is 01h455vb4pex5vsknk084sn02q in the specification of TypeID.
  const uuid = Uint8Array.from(Buffer.from("01890a5dac96774bbcceb302099a8057", "hex"));
  const now = Number(BigInt("0x01890a5dac96"));
  expect(idFromBytes("user", Uint8Array.from([...uuid.slice(0, 6), 0x74, 0xb0, ...uuid.slice(8)]), now)).toBe(
    "user_01h455vb4pex5vsknk084sn02q",
  );
});
