import { readdirSync, readFileSync } from "node:fs";
import type { ServiceProcess } from "#test/service-process";
import { memoryOf } from "#test/own-databases/serve-websites";

export const middle = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
export const round2 = (value: number): number => Math.round(value * 100) / 100;

/** Processor time of a process so far, as Linux tells it in hundredths of a second. */
export function cpuMillis(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)!.split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

export const openFiles = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;

export const sizeOf = async (service: ServiceProcess) => ({
  sockets: openFiles(service.pid),
  megabytes: Math.round(await memoryOf(service)),
});
