/**
 * Next.js sends `Location` twice when a kept page redirects (vercel/next.js#82117); search engines then do not follow a renamed post. A value
 * that is there already is not added again. Delete this file once that is fixed.
 */
export async function register(): Promise<void> {
  // As a condition around it, so that Next.js leaves it out where there is no Node.
  if (process.env.NEXT_RUNTIME === "nodejs") {
    const { ServerResponse } = await import("node:http");
    const { appendHeader } = ServerResponse.prototype;
    ServerResponse.prototype.appendHeader = function (name, value) {
      return this.getHeader(name) === value ? this : appendHeader.call(this, name, value);
    };
  }
}
