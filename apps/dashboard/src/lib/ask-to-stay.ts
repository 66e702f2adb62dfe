let running = 0;

const ask = (event: BeforeUnloadEvent): void => event.preventDefault();

/** For work that ends when the tab is closed: until it is done, the browser asks before it closes it. */
export async function askToStayFor<T>(work: Promise<T>): Promise<T> {
  running += 1;
  window.addEventListener("beforeunload", ask);
  try {
    return await work;
  } finally {
    running -= 1;
    if (running === 0) window.removeEventListener("beforeunload", ask);
  }
}
