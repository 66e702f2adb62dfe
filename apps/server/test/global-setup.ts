import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** A PostgreSQL server whose user may create databases. */
    postgresUrl: string;
  }
}

export default function setup(project: TestProject): void {
  const url = process.env.STET_TEST_POSTGRES;
  if (!url) throw new Error("Set STET_TEST_POSTGRES.");
  project.provide("postgresUrl", url);
}
