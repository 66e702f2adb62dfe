import { type Topic, topics } from "./topics.ts";

const PLACES = [
  "Porto",
  "Gdańsk",
  "Malmö",
  "Tromsø",
  "Lyon",
  "Trieste",
  "Kyoto",
  "Montréal",
  "Valparaíso",
  "Reykjavík",
  "Leipzig",
  "Bergen",
  "Ghent",
  "Tallinn",
  "Ljubljana",
  "Cork",
  "Sevilla",
  "Oaxaca",
  "Wellington",
  "Halifax",
  "Nantes",
  "Kraków",
  "Zürich",
  "Aarhus",
  "Thessaloniki",
  "Plzeň",
  "Cardiff",
  "Dakar",
  "Bologna",
  "Tampere",
  "Lucerne",
  "Coimbra",
  "São Tomé",
];

const LEADS = [
  "",
  "Revisited: ",
  "One year on: ",
  "From the archive: ",
  ...PLACES.map((place) => `Notes from ${place}: `),
  ...PLACES.map((place) => `A letter from ${place}: `),
];

/** Any number without a common factor with the number of titles walks through all of them in a mixed order. */
const STRIDE = 71;

export interface SampleTitle {
  readonly topic: Topic;
  readonly text: string;
  /** How many times all titles were used up before: 0 for the first ten thousand posts. */
  readonly round: number;
}

let allTitles: readonly { topic: Topic; title: string }[] | undefined;

export function titleAt(index: number): SampleTitle {
  allTitles ??= topics().flatMap((topic) => topic.titles.map((title) => ({ topic, title })));
  const bases = allTitles;
  const { topic, title } = bases[(index * STRIDE) % bases.length]!;
  const lap = Math.floor(index / bases.length);
  return { topic, text: `${LEADS[lap % LEADS.length]}${title}`, round: Math.floor(lap / LEADS.length) };
}
