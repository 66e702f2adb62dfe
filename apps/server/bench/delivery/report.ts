import type { BesideWriters } from "./beside-writers.ts";

/** What was measured of one kind of request, and of the bare server sending the same. */
export interface Row {
  readonly name: string;
  readonly requestsPerSecond: number;
  readonly p50Millis: number;
  readonly p99Millis: number;
  readonly bytes: number;
  /** Processor time of the server for one request. */
  readonly cpuMicros: number;
  /** Null where there is nothing to compare with. */
  readonly bare: { readonly requestsPerSecond: number; readonly cpuMicros: number } | null;
  /** How much of its core the server had, 0 to 1: below, somebody else used it too. */
  readonly serverBusy: number;
  readonly clientBusy: number;
  /** Memory of the server after it. */
  readonly rssMegabytes: number;
}

export const BARS = { list: 0.8, post: 0.8, notModified: 0.8, many: 0.7, besideWriters: 0.85, deepPage: 1.2, rssMegabytes: 250 };

/** With less of its core than this a server cannot show how fast it is. */
const UNDISTURBED = 0.9;

/** Requests a second, as a share of the bare server's. */
const speedRatio = ({ requestsPerSecond, bare }: Row): number | null => bare && requestsPerSecond / bare.requestsPerSecond;
/** The same by processor time: where both have their core to themselves it is the same number; elsewhere it still holds. */
const cpuRatio = ({ cpuMicros, bare }: Row): number | null => bare && bare.cpuMicros / cpuMicros;

/** What was measured beside the rows. */
export interface Others {
  /** Page `deepPage` takes so many times as long as page 1. */
  readonly depth: number;
  readonly deepPage: number;
  readonly writing: BesideWriters;
  readonly rssMegabytes: number;
}

export function printRows(rows: readonly Row[]): void {
  const share = (ratio: number | null) => (ratio === null ? "" : ratio.toFixed(2));
  console.table(
    Object.fromEntries(
      rows.map((row) => [
        row.name,
        {
          "a second": Math.round(row.requestsPerSecond),
          "p50, ms": row.p50Millis.toFixed(2),
          "p99, ms": row.p99Millis.toFixed(2),
          bytes: row.bytes,
          "RSS, MB": Math.round(row.rssMegabytes),
          "(a) bare": row.bare === null ? "" : Math.round(row.bare.requestsPerSecond),
          "of bare": share(speedRatio(row)),
          µs: row.cpuMicros.toFixed(1),
          "bare µs": row.bare === null ? "" : row.bare.cpuMicros.toFixed(1),
          "of bare, by µs": share(cpuRatio(row)),
          "server busy": `${Math.round(row.serverBusy * 100)} %`,
          "client busy": `${Math.round(row.clientBusy * 100)} %`,
        },
      ]),
    ),
  );
}

export function printReport(rows: readonly Row[], { depth, deepPage, writing, rssMegabytes }: Others): void {
  printRows(rows);
  console.log(
    `(h) list beside ${writing.savesPerSecond.toFixed(0)} autosaves a second: ${Math.round(writing.beside)} instead of ${Math.round(writing.alone)} a second, ${writing.ratio.toFixed(2)} (by processor time ${writing.ratioByCpu.toFixed(2)}; server busy ${Math.round(writing.serverBusy * 100)} %).`,
  );
  console.log(`Page ${deepPage} takes ${depth.toFixed(2)} × page 1. The server held ${Math.round(rssMegabytes)} MB at most.`);
}

/** Nothing, or in words that the row is below its bar. */
export function belowBar(row: Row, bar: number): string[] {
  const isDisturbed = row.serverBusy < UNDISTURBED;
  const ratio = isDisturbed ? cpuRatio(row) : speedRatio(row);
  if (ratio === null || ratio >= bar) return [];
  const how = isDisturbed ? "by processor time, as the machine was busy" : "of the requests a second";
  return [`${row.name}: ${ratio.toFixed(2)} of bare (${how}), the bar is ${bar.toFixed(2)}`];
}

/** What is below its bar, in words. */
export function judge(rows: readonly Row[], { depth, deepPage, writing, rssMegabytes }: Others): string[] {
  const bars: readonly [string, number][] = [
    ["(b)", BARS.list],
    ["(c)", BARS.post],
    ["(d)", BARS.notModified],
    ["(g)", BARS.many],
  ];
  const slow = bars.flatMap(([letter, bar]) => rows.filter((row) => row.name.startsWith(letter)).flatMap((row) => belowBar(row, bar)));
  const isDisturbed = writing.serverBusy < UNDISTURBED;
  const left = isDisturbed ? writing.ratioByCpu : writing.ratio;
  if (left < BARS.besideWriters) {
    const how = isDisturbed ? "by processor time, as the machine was busy" : "of the requests a second";
    slow.push(`(h) list beside autosaves: ${left.toFixed(2)} of what it is without (${how}), the bar is ${BARS.besideWriters}`);
  }
  if (depth > BARS.deepPage) slow.push(`(e) page ${deepPage}: ${depth.toFixed(2)} × page 1, the bar is ${BARS.deepPage}`);
  if (rssMegabytes > BARS.rssMegabytes) slow.push(`Memory: ${Math.round(rssMegabytes)} MB, the bar is ${BARS.rssMegabytes} MB`);
  return slow;
}
