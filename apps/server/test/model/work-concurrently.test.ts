import { test } from "vitest";
import { onBothEngines } from "#test/on-both-engines";
import { workConcurrently } from "./work-concurrently.ts";

const RULE = "six people at once: no update is lost, every event is told exactly for what happened";
const SEEDS = process.env.STET_SOAK ? Array.from({ length: 30 }, (_, i) => i + 1) : [1, 2, 3];

await onBothEngines((services) => {
  test.each(SEEDS)(`${RULE} (%i)`, (seed) => workConcurrently(services, seed), 120_000);
});
