import { globSync } from "node:fs";
import { canInstallDebianPackages, installDebianPackages } from "#test/debian-packages";
import type { Part } from "#test/parts";

/** A program of the system that a test runs: where it is looked for, and the Debian package that brings it. */
interface SystemProgram {
  readonly name: string;
  readonly package: string;
  readonly places: readonly string[];
}

const found = ({ name, places }: SystemProgram): Part<string> => {
  const [place] = globSync(places).toSorted().toReversed();
  return place ? { part: place, detail: `at ${place}` } : { missing: `there is no ${name} at ${places.join(", ")}` };
};

const findable = (program: SystemProgram) => ({
  name: program.name,
  find: () => found(program),
  /** Installs Debian's where it is missing and can be. */
  async prepare(): Promise<Part<string>> {
    const there = found(program);
    if (!("missing" in there) || !canInstallDebianPackages()) return there;
    return installDebianPackages(program.package).then(
      () => found(program),
      (error: Error) => ({ missing: `Debian's package ${program.package} could not be installed: ${error.message}` }),
    );
  },
});

/** The folder with `initdb`, `postgres` and `pg_basebackup`: the newest on this machine. */
export const debianPostgres = findable({ name: "Debian's PostgreSQL", package: "postgresql", places: ["/usr/lib/postgresql/*/bin"] });
export const pgbouncer = findable({ name: "pgbouncer", package: "pgbouncer", places: ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer"] });
export const nginx = findable({ name: "nginx", package: "nginx-light", places: ["/usr/sbin/nginx"] });
