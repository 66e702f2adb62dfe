import { readdirSync, readFileSync } from "node:fs";

/** The topics of the sample publication: one Markdown file each, cut into pieces that can be combined freely. */
export interface Topic {
  readonly category: string;
  readonly tags: readonly string[];
  readonly titles: readonly string[];
  readonly excerpts: readonly string[];
  readonly intros: readonly string[];
  readonly sections: readonly string[];
  readonly closings: readonly string[];
}

const FOLDER = new URL("./topics/", import.meta.url);
let loaded: readonly Topic[] | undefined;

/** In the order of the file names: it is part of what makes the samples the same everywhere. */
export function topics(): readonly Topic[] {
  loaded ??= readdirSync(FOLDER)
    .filter((name) => name.endsWith(".md"))
    .sort()
    .map((name) => parseTopic(readFileSync(new URL(name, FOLDER), "utf8")));
  return loaded;
}

/** A comment such as `<!-- section -->` begins a piece; several pieces may have the same name. */
function parseTopic(text: string): Topic {
  const pieces = text
    .split(/^<!-- (?=[a-z]+ -->$)/m)
    .slice(1)
    .map((piece) => {
      const end = piece.indexOf("\n");
      return { name: piece.slice(0, end).replace(" -->", ""), text: piece.slice(end + 1).trim() };
    });
  const all = (name: string) => pieces.filter((piece) => piece.name === name).map((piece) => piece.text);
  const lines = (name: string) => all(name).flatMap((piece) => piece.split("\n").map((line) => line.replace(/^- /, "")));
  const about = new Map(lines("about").map((line) => line.split(": ", 2) as [string, string]));
  return {
    category: about.get("category") ?? "",
    tags: (about.get("tags") ?? "").split(", "),
    titles: lines("titles"),
    excerpts: lines("excerpt"),
    intros: all("intro"),
    sections: all("section"),
    closings: all("close"),
  };
}
