import type { Names } from "#ports/names";

/** Name servers that know what a test tells them; each answer can be another one the next time. */
export function testNames(known: {
  readonly addresses?: Readonly<Record<string, string | (() => string)>>;
  readonly services?: Readonly<Record<string, readonly { name: string; port: number }[]>>;
  readonly texts?: Readonly<Record<string, readonly string[]>>;
}): Names {
  const absent = () => Promise.reject(Object.assign(new Error("No such name"), { code: "ENOTFOUND" }));
  return {
    addresses: async (name) => {
      const found = known.addresses?.[name];
      const address = typeof found === "function" ? found() : found;
      return address === undefined ? absent() : [{ address, family: address.includes(":") ? 6 : 4 }];
    },
    services: async (name) => known.services?.[name] ?? absent(),
    texts: async (name) => known.texts?.[name] ?? absent(),
  };
}
