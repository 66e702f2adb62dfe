/** Where a service that takes in an image and makes a variant of it can be killed. */
export const STEPS = [
  "room taken",
  "bytes half written",
  "bytes written",
  "record written",
  "file kept",
  "variant half written",
  "variant written",
] as const;
export type Step = (typeof STEPS)[number];
