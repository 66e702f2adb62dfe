/**
 * Waits for the work, but not for ever: it goes on without whoever waited. `enough` ends the waiting early. Answers whether the work was done;
 * where it failed by then, that is thrown.
 */
export async function noLongerThan(millis: number, work: Promise<unknown>, enough?: AbortSignal): Promise<boolean> {
  const over = Promise.withResolvers<false>();
  const end = () => over.resolve(false);
  const timer = setTimeout(end, millis);
  enough?.addEventListener("abort", end);
  if (enough?.aborted) end();
  try {
    return await Promise.race([work.then(() => true), over.promise]);
  } finally {
    clearTimeout(timer);
    enough?.removeEventListener("abort", end);
  }
}
