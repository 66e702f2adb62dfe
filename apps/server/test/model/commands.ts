import fc from "fast-check";

/** What the actors of the model do. `post` and `who` are taken modulo what exists. */
export type Command =
  | { readonly do: "create"; readonly who: number; readonly title: number; readonly slug: number | null }
  | {
      readonly do: "edit";
      readonly who: number;
      readonly post: number;
      readonly stale: boolean;
      readonly text: number;
      readonly slug: number | null;
      readonly autosave: boolean;
    }
  | { readonly do: Move; readonly who: number; readonly post: number; readonly stale: boolean }
  | { readonly do: "schedule"; readonly who: number; readonly post: number; readonly stale: boolean; readonly minutes: number }
  | { readonly do: "duplicate"; readonly who: number; readonly post: number }
  | { readonly do: "wait"; readonly minutes: number };

const MOVES = ["publish", "update", "unpublish", "delete", "restore", "purge"] as const;
export type Move = (typeof MOVES)[number];

/** Few titles and slugs, so that they clash often. */
export const TITLES = ["Alpha", "Älpha", "Beta", ""] as const;
export const SLUGS = ["alpha", "beta", "gamma"] as const;

const who = fc.nat({ max: 3 });
const post = fc.nat({ max: 5 });
// One stale call in eight: most of a run should do something.
const stale = fc.nat({ max: 7 }).map((n) => n === 0);
const slug = fc.option(fc.nat({ max: SLUGS.length - 1 }), { freq: 2 });
const minutes = fc.integer({ min: 1, max: 15 });

export const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant("create" as const), who, title: fc.nat({ max: TITLES.length - 1 }), slug }) },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant("edit" as const), who, post, stale, text: fc.nat({ max: 99 }), slug, autosave: fc.boolean() }),
  },
  { weight: 12, arbitrary: fc.record({ do: fc.constantFrom(...MOVES), who, post, stale }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("schedule" as const), who, post, stale, minutes }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("duplicate" as const), who, post }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("wait" as const), minutes }) },
);
