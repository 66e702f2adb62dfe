/** A path of this dashboard, never another host: `//evil.example` is a host. */
export const isOwnPath = (value: unknown): value is string => typeof value === "string" && value.startsWith("/") && !/^\/[/\\]/.test(value);
