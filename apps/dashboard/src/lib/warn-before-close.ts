let running = 0;

const warn = (event: BeforeUnloadEvent): void => event.preventDefault();

/** Makes the browser ask before it closes the tab, until `work` is done: closing would end it. */
export async function warnBeforeClose<T>(work: Promise<T>): Promise<T> {
  running += 1;
  window.addEventListener("beforeunload", warn);
  try {
    return await work;
  } finally {
    running -= 1;
    if (running === 0) window.removeEventListener("beforeunload", warn);
  }
}
