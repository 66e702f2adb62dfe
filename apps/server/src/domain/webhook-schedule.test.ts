import { expect, test } from "vitest";
import { newId } from "#domain/ids";
import { timestamp } from "#domain/time";
import { healthAfter, type TriedDelivery } from "#domain/webhook-health";
import { ATTEMPTS_PER_DELIVERY, delayAfter } from "#domain/webhook-schedule";

const now = new Date("2026-11-15T09:00:00.000Z");
const healthy = { failures: 0, failingSince: null };
const tried = (status: number | null, tries = 0, millis = 10): TriedDelivery => ({
  deliveryId: newId("delivery"),
  tries,
  isTest: false,
  attempt: { at: timestamp(now), url: "https://example.com/", status, error: null, millis, answer: "" },
});
const middle = () => 0.5;

test("attempts come after 0, 10 s, 1 min, 5 min, 30 min, 2 h, 6 h, 12 h, and then no more", () => {
  const seconds = Array.from({ length: ATTEMPTS_PER_DELIVERY + 1 }, (_, tries) => delayAfter(tries, middle));
  expect(seconds.map((delay) => delay && delay / 1_000)).toEqual([0, 10, 60, 300, 1_800, 7_200, 21_600, 43_200, null]);
});

test("each delay varies by 10 % at most", () => {
  expect(delayAfter(2, () => 0)).toBe(54_000);
  expect(delayAfter(2, () => 0.999_999)).toBe(66_000);
});

test("of attempts made at the same time, successes count first", () => {
  const health = healthAfter({ failures: 7, failingSince: timestamp(0) }, [tried(500), tried(200), tried(500)], now, middle);
  expect(health).toMatchObject({ status: "failing", failures: 2, failingSince: timestamp(now) });
});

test("the tenth failure in a row is told once, the twentieth switches off", () => {
  const after = (failures: number) => healthAfter({ failures, failingSince: timestamp(0) }, [tried(null)], now, middle);
  expect([8, 9, 10].map((failures) => after(failures).notice)).toEqual([null, "failing", null]);
  expect(after(18)).toMatchObject({ status: "failing", notice: null });
  expect(after(19)).toMatchObject({ status: "off", offReason: "failures", notice: "off", probeAt: null });
});

test("a delivery without attempts left has failed, and the next in line may go when it is due", () => {
  const health = healthAfter(healthy, [tried(500, ATTEMPTS_PER_DELIVERY - 1)], now, middle);
  expect(health.deliveries[0]?.status).toBe("failed");
  expect(health.probeAt).toBe(timestamp(now));
});

test("an endpoint that takes two seconds is slow, though it answers well", () => {
  expect(healthAfter(healthy, [tried(200, 0, 1_999)], now, middle).isSlow).toBe(false);
  expect(healthAfter(healthy, [tried(200, 0, 2_000)], now, middle)).toMatchObject({ isSlow: true, status: "active" });
});
