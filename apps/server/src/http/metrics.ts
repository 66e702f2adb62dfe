import { monitorEventLoopDelay } from "node:perf_hooks";
import { mayRunJobs } from "#domain/clock-offset";
import { DISK_LEVELS, type DiskReading } from "#domain/disk-space";
import { fail } from "#domain/failure";
import type { RatesState } from "#usage/rates/rates";
import type { DeliveryMetrics } from "./delivery/metrics.ts";
import type { Handler } from "./dispatcher.ts";

const TYPE = "text/plain; version=0.0.4; charset=utf-8";

export interface MetricsSources {
  readonly delivery: () => DeliveryMetrics;
  readonly disk: () => Promise<DiskReading>;
  /** How far this machine's clock is ahead of the database's, in milliseconds. */
  readonly clockOffsetMillis: () => number;
  /** How the limits are shared with other nodes. */
  readonly rates: () => RatesState;
}

/** The numbers of this process alone, without those of the read path where it does not serve. */
export function createProcessMetrics(): () => string {
  const lag = monitorEventLoopDelay({ resolution: 20 });
  lag.enable();
  return () => {
    const text = processLines(lag).join("\n");
    // Each look tells of the time since the last one.
    lag.reset();
    return text;
  };
}

/** The numbers of this process, in the text format of Prometheus. They name no website and no key, only routes. */
export function createMetricsText({ delivery, disk, clockOffsetMillis, rates }: MetricsSources): () => Promise<string> {
  const ofProcess = createProcessMetrics();
  return async () =>
    [
      ...deliveryLines(delivery()),
      ...rateLines(rates()),
      ...clockLines(clockOffsetMillis()),
      ...diskLines(await disk()),
      ofProcess(),
      "",
    ].join("\n");
}

/** `/metrics`; `text` is this process's, or the sum of several. */
export function createMetrics(text: () => Promise<string>): Handler {
  return async (request, response) => {
    if (request.method !== "GET" && request.method !== "HEAD") {
      throw fail("METHOD_NOT_ALLOWED", "Use GET or HEAD for /metrics.", { allow: "GET, HEAD" });
    }
    const body = await text();
    response.writeHead(200, { "Content-Type": TYPE, "Cache-Control": "no-store", "Content-Length": Buffer.byteLength(body) });
    response.end(request.method === "HEAD" ? undefined : body);
  };
}

type Labels = Readonly<Record<string, string | number>>;

function family(name: string, type: "counter" | "gauge", help: string, samples: readonly (readonly [Labels, number])[]): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...samples.map(([labels, value]) => `${name}${labelText(labels)} ${value}`)];
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${String(value).replaceAll(/["\\\n]/g, "_")}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

function deliveryLines({ requests, cache, refusals, keys }: DeliveryMetrics): string[] {
  const one = (value: number) => [[{}, value]] as const;
  return [
    ...family(
      "stet_delivery_requests_total",
      "counter",
      "Answers of /v1 by route and status class.",
      requests.map(({ route, statusClass, count }) => [{ route, status: `${statusClass}xx` }, count]),
    ),
    ...family("stet_delivery_cache_hits_total", "counter", "Answers served from the cache.", one(cache.hits)),
    ...family("stet_delivery_cache_misses_total", "counter", "Answers that were not in the cache.", one(cache.misses)),
    ...family(
      "stet_delivery_cache_stale_total",
      "counter",
      "Stale answers served because a content store did not respond.",
      one(cache.stale),
    ),
    ...family("stet_delivery_cache_bytes", "gauge", "Memory used by cached answers.", one(cache.bytes)),
    ...family("stet_delivery_cache_pages", "gauge", "Cached answers.", one(cache.responses)),
    ...family(
      "stet_delivery_refusals_total",
      "counter",
      "Requests refused with 429, by which limit was reached.",
      Object.entries(refusals).map(([limit, count]) => [{ limit }, count]),
    ),
    ...family("stet_delivery_keys", "gauge", "API keys held in memory.", one(keys)),
  ];
}

function rateLines({ division, ledger, calls, failures, waits }: RatesState): string[] {
  const one = (value: number) => [[{}, value]] as const;
  // A node alone needs none, so none is missing.
  const isUp = division.life !== null || division.nodes === 1;
  return [
    ...family("stet_rate_nodes", "gauge", "Nodes that share the limits, as this one knows.", one(division.nodes)),
    ...family("stet_rate_ledger_up", "gauge", "1, or 0 while the rate ledger does not answer and each node has its part.", [
      [{ ledger: ledger ?? "none" }, isUp ? 1 : 0],
    ]),
    ...family("stet_rate_ledger_calls_total", "counter", "Calls of the rate ledger, each for many buckets.", one(calls)),
    ...family("stet_rate_ledger_failures_total", "counter", "Calls that the rate ledger did not answer.", one(failures)),
    ...family("stet_rate_waits_total", "counter", "Requests that waited for the rate ledger.", one(waits)),
  ];
}

function clockLines(offsetMillis: number): string[] {
  const seconds = Number((offsetMillis / 1_000).toFixed(3));
  return [
    ...family("stet_clock_offset_seconds", "gauge", "How far the clock of this machine is ahead of the database's.", [[{}, seconds]]),
    ...family("stet_jobs_running", "gauge", "1, or 0 while this node runs no jobs because its clock is far off.", [
      [{}, mayRunJobs(offsetMillis) ? 1 : 0],
    ]),
  ];
}

function diskLines({ freeBytes, totalBytes, level }: DiskReading): string[] {
  return [
    ...family("stet_disk_free_bytes", "gauge", "Free room on the disk of the data folder.", [[{}, freeBytes]]),
    ...family("stet_disk_total_bytes", "gauge", "Size of the disk of the data folder.", [[{}, totalBytes]]),
    ...family("stet_disk_level", "gauge", "0: enough room, 1: owners are warned, 2: large saves are refused, 3: every save is.", [
      [{}, DISK_LEVELS.indexOf(level)],
    ]),
  ];
}

function processLines(lag: ReturnType<typeof monitorEventLoopDelay>): string[] {
  const seconds = (nanoseconds: number) => (Number.isFinite(nanoseconds) ? Number((nanoseconds / 1e9).toFixed(6)) : 0);
  return [
    ...family("stet_event_loop_lag_seconds", "gauge", "How late timers fired since the last scrape.", [
      [{ quantile: 0.5 }, seconds(lag.percentile(50))],
      [{ quantile: 0.99 }, seconds(lag.percentile(99))],
      [{ quantile: 1 }, seconds(lag.max)],
    ]),
    ...family("process_resident_memory_bytes", "gauge", "Resident memory.", [[{}, process.memoryUsage.rss()]]),
    ...family("process_start_time_seconds", "gauge", "When the process started, since 1970.", [
      [{}, Math.round(performance.timeOrigin / 1_000)],
    ]),
  ];
}
