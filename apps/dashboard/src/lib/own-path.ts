/** A path of this dashboard, never another host: `//evil.example` is a host. */
export const isOwnPath = (value: unknown): value is string => typeof value === "string" && value.startsWith("/") && !/^\/[/\\]/.test(value);

/** A page that the server draws, such as the consent page: it is opened as any address, not by the dashboard's router. */
export const isServerPage = (path: string): boolean => path.startsWith("/oauth/");
