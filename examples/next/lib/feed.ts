import { StetError } from "@stet/client";

/** Passes a file of Stet on under the site's own address. Feed readers have no key. */
export async function passOn(file: Promise<string>, contentType: string): Promise<Response> {
  try {
    return new Response(await file, { headers: { "Content-Type": `${contentType}; charset=utf-8` } });
  } catch (error) {
    // The website has no public address: Stet says what to do. After any other error Next.js keeps the last good file.
    if (StetError.is(error) && error.status === 422) return new Response(error.message, { status: 404 });
    throw error;
  }
}
