import { isPrivate, sendView, whenSeen } from "./views.ts";

/**
 * `{origin}/v1/view.js`, for pages without a build:
 * `<script async src="https://stet.example.com/v1/view.js" data-website="site_…" data-post="slow-bread"></script>`.
 * Without `data-post` the last part of the page's address is the slug, and navigation inside the page counts too.
 */
const script = document.currentScript as HTMLScriptElement | null;
const { website = "", post: fixed, endpoint } = script?.dataset ?? {};
const target = endpoint ?? new URL("collect", script?.src).href;
let stop = () => {};
let seen = "";

function count(referrer: string): void {
  const post = fixed ?? location.pathname.split("/").filter(Boolean).at(-1);
  stop();
  seen = location.pathname;
  if (post) stop = whenSeen(() => sendView(target, website, post, referrer));
}

if (website && !isPrivate()) {
  count(document.referrer);
  addEventListener("pageshow", (event) => event.persisted && count(""));
  if (!fixed) {
    const look = () => location.pathname !== seen && count("");
    for (const name of ["pushState", "replaceState"] as const) {
      const call = history[name];
      history[name] = function (...args) {
        call.apply(this, args);
        look();
      };
    }
    addEventListener("popstate", look);
  }
}
