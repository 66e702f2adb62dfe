/** Whether every word begins one of the text: "web set" finds "Website settings". */
export function matchesWords(text: string, wanted: string): boolean {
  const words = wordsOf(text);
  return wordsOf(wanted).every((word) => words.some((each) => each.startsWith(word)));
}

const wordsOf = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean);
