const HERE = "https://dashboard.invalid";

/** A path of this dashboard, never another host, as a browser reads it: `//evil.example` is a host, with a tab in it as well. */
export const isOwnPath = (value: unknown): value is string =>
  typeof value === "string" && value.startsWith("/") && URL.parse(value, HERE)?.origin === HERE;

/** A page that the server draws, such as the consent page: it is opened as any address, not by the dashboard's router. */
export const isServerPage = (path: string): boolean => path.startsWith("/oauth/");
