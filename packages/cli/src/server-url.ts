const isLoopback = (host: string): boolean => host === "localhost" || host === "[::1]" || /^127(\.\d{1,3}){3}$/.test(host);

/** The origin of a Stet server, or what is wrong with the address: a sign-in is sent there, so others must not be able to read it on the way. */
export function readServerUrl(text: string): { readonly origin: string } | { readonly problem: string } {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol)) return { problem: `must be the address of a Stet server; got "${text}".` };
  if (url.protocol === "http:" && !isLoopback(url.hostname)) {
    return { problem: "must start with https:// unless the server is on this machine, because your sign-in is sent there." };
  }
  return { origin: url.origin };
}
