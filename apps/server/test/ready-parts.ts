import { prepareChromium, prepareWholeChromium } from "#test/chromium";
import { prepareFaketime } from "#test/faketime";
import { ferretdb, givenMongo, mongoJavaServer } from "#test/mongodb";
import { announce, announceMissing, type Part } from "#test/parts";
import { debianPostgres, nginx, pgbouncer } from "#test/postgres-of-others/programs";
import { prepareRedis } from "#test/redis";
import { givenS3, s3sFs, versitygw } from "#test/s3";
import { astroPackages, nextPackages } from "#test/starters/starter-packages";

/**
 * Fetches and builds what the tests need, before the first of them and one at a time: two test files that install at once
 * meet each other's locks. Kept outside the tree, so that this happens once a machine. Says what the run uses.
 */
export async function makePartsReady(): Promise<void> {
  const parts: readonly (readonly [name: string, prepare: () => Promise<Part<unknown>>])[] = [
    ["Chromium", prepareChromium],
    ["libfaketime", prepareFaketime],
    ...[debianPostgres, pgbouncer, nginx].map(({ name, prepare }) => [name, prepare] as const),
    ["Redis", prepareRedis],
    [ferretdb.name, ferretdb.prepare],
    [mongoJavaServer.name, mongoJavaServer.prepare],
    [versitygw.name, versitygw.prepare],
    [astroPackages.name, astroPackages.prepare],
    // It takes minutes to build, and versitygw is stricter.
    ...(process.env.STET_SOAK
      ? ([
          ["whole Chromium", prepareWholeChromium],
          [s3sFs.name, s3sFs.prepare],
          [nextPackages.name, nextPackages.prepare],
        ] as const)
      : []),
  ];
  for (const [name, prepare] of parts) {
    const started = performance.now();
    const ready = await prepare();
    const seconds = Math.round((performance.now() - started) / 1_000);
    if ("missing" in ready) announceMissing(name, ready.missing);
    else announce(name, ready.detail + (seconds > 0 ? `, made ready in ${seconds} s` : ""));
  }
  const s3 = givenS3();
  if (s3 && !("missing" in s3)) announce("S3", s3.detail);
  const given = givenMongo();
  if (given && !("missing" in given)) announce("MongoDB", given.detail);
  // Nobody has to have one: the two above stand for it. Where one is given it is run too, and where not that is said.
  else announceMissing("MongoDB", "STET_TEST_MONGODB names no server; FerretDB and mongo-java-server stand for it");
}
