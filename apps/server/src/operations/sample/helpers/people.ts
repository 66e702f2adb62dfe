/** The authors of the sample publication. Nobody real. */
export const PEOPLE: readonly { name: string; bio: string; url: string | null }[] = [
  {
    name: "Ines Carvalho",
    bio: "Keeps servers running from Porto and writes about what happens when they do not. Believes in checklists and long lunches.",
    url: "https://example.com/people/ines",
  },
  {
    name: "Tomasz Wójcik",
    bio: "Database engineer and reluctant early riser. Has read more query plans than novels, and is trying to change that.",
    url: null,
  },
  {
    name: "Astrid Lindqvist-Okafor",
    bio: "Designer of books first and interfaces second. Teaches typography on Thursdays and argues about hyphens on all other days.",
    url: "https://example.com/people/astrid",
  },
  {
    name: "Jürgen Möhle",
    bio: "Baker, photographer, former physicist. Measures everything, except time spent in the kitchen.",
    url: null,
  },
  {
    name: "美咲 Tanaka",
    bio: "Travels by rail whenever there is one. Her notebooks come in three sizes, and the smallest is always full.",
    url: "https://example.com/people/misaki",
  },
  {
    name: "Samuel Abara",
    bio: "Accessibility lead. Uses a screen reader every day, and a mouse about twice a year.",
    url: "https://example.com/people/samuel",
  },
  {
    name: "Élodie Marchand",
    bio: "Editor. Removes words for a living, and occasionally puts one back.",
    url: null,
  },
  {
    name: "Ruth Feldman",
    bio: "Statistician turned gardener. Grows tomatoes on a fifth floor, with error bars.",
    url: "https://example.com/people/ruth",
  },
];
