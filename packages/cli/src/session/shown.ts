/** Tokens that this command has used. Whatever a server or a proxy says, and wherever it goes, they are not shown. */
const secrets = new Set<string>();
export const keepSecret = (token: string): void => void secrets.add(token);

export const withoutSecrets = (text: string): string => [...secrets].reduce((shown, secret) => shown.replaceAll(secret, "…"), text);

/** Words of a server for a terminal: nothing in them moves its cursor or breaks the line. */
export const shownLine = (text: string): string => withoutSecrets(text).replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ");
