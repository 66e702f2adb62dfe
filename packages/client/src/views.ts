/** A page that is read. Counting needs no key and sets no cookie. */
export interface View {
  /** The website's id, `site_…`: the Analytics page and `client.website()` tell it. It is not a secret. */
  readonly website: string;
  /** The slug or id of the post. */
  readonly post: string;
  /** The address of the Stet server. */
  readonly url?: string | undefined;
  /** Where views are sent instead of `{url}/v1/collect`, such as a path of one's own site that passes them on. */
  readonly endpoint?: string | undefined;
}

type Privacy = Navigator & { readonly globalPrivacyControl?: boolean };
type Prerendered = Document & { readonly prerendering?: boolean };

/**
 * Counts one view as soon as the page is seen: not while it is prerendered or in a background tab. Coming back to the page through the
 * back-forward cache counts as another. Answers a function that ends it; ended before the page was seen, nothing is counted, so
 * that mounting twice in a row, as React does in StrictMode, counts once.
 */
export function trackView({ website, post, url, endpoint }: View): () => void {
  if (typeof document === "undefined" || isPrivate()) return () => {};
  const target = endpoint ?? `${(url ?? "").replace(/\/+$/, "").replace(/\/v1$/, "")}/v1/collect`;
  let stop = whenSeen(() => sendView(target, website, post, document.referrer));
  const onShow = (event: PageTransitionEvent) => {
    if (!event.persisted) return;
    stop();
    stop = whenSeen(() => sendView(target, website, post, ""));
  };
  addEventListener("pageshow", onShow);
  return () => {
    stop();
    removeEventListener("pageshow", onShow);
  };
}

/** Do Not Track and Global Privacy Control: the server would not count them, so nothing is sent. */
export function isPrivate(): boolean {
  const { doNotTrack, globalPrivacyControl } = navigator as Privacy;
  return doNotTrack === "1" || doNotTrack === "yes" || globalPrivacyControl === true;
}

/** Runs once, when somebody can see the page; a moment later, so that what ends right away never was. */
export function whenSeen(run: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = () => {
    if ((document as Prerendered).prerendering || document.visibilityState !== "visible") return;
    stop();
    timer = setTimeout(run);
  };
  const stop = () => {
    clearTimeout(timer);
    for (const name of EVENTS) document.removeEventListener(name, look);
  };
  for (const name of EVENTS) document.addEventListener(name, look);
  look();
  return stop;
}

const EVENTS = ["visibilitychange", "prerenderingchange"] as const;

/** As plain text, which needs no preflight. The browser sends a beacon even if the page ends. */
export function sendView(endpoint: string, website: string, post: string, referrer: string): void {
  const body = JSON.stringify({ website, post, referrer });
  try {
    if (navigator.sendBeacon?.(endpoint, body)) return;
  } catch {
    // Some blockers throw.
  }
  fetch(endpoint, { method: "POST", body, keepalive: true, credentials: "omit" }).catch(() => {});
}
