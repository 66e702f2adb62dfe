/** In UTC, so that the page is the same wherever it is made. */
export function PostDate({ at, language }: { readonly at: string; readonly language: string }) {
  return <time dateTime={at}>{new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: "UTC" }).format(new Date(at))}</time>;
}
