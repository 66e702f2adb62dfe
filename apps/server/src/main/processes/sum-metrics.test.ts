import { expect, test } from "vitest";
import { sumMetrics } from "./sum-metrics.ts";

const ofProcess = (requests: number, lag: number, start: number) => `# HELP stet_delivery_requests_total Answers.
# TYPE stet_delivery_requests_total counter
stet_delivery_requests_total{route="/blog/posts",status="2xx"} ${requests}
stet_event_loop_lag_seconds{quantile="1"} ${lag}
stet_disk_free_bytes 1000
process_resident_memory_bytes 100
process_start_time_seconds ${start}
`;

test("counters and sizes are summed; the worst lag, the one disk and the first start are told", () => {
  const other = `stet_delivery_requests_total{route="/blog/tags",status="2xx"} 1\n`;
  expect(sumMetrics([ofProcess(2, 0.5, 20), ofProcess(3, 0.25, 10), other])).toBe(
    `# HELP stet_delivery_requests_total Answers.
# TYPE stet_delivery_requests_total counter
stet_delivery_requests_total{route="/blog/posts",status="2xx"} 5
stet_event_loop_lag_seconds{quantile="1"} 0.5
stet_disk_free_bytes 1000
process_resident_memory_bytes 200
process_start_time_seconds 10
stet_delivery_requests_total{route="/blog/tags",status="2xx"} 1
`,
  );
});
