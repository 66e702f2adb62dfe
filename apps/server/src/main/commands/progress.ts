/** Prints how far the work is, about ten times in all: a log of it stays readable. */
export function progress(what: string, report: (message: string) => void): (done: number, total: number) => void {
  let told = 0;
  return (done, total) => {
    const tenth = Math.floor((done * 10) / total);
    if (tenth <= told) return;
    told = tenth;
    if (total >= 100) report(`${what}: ${done} of ${total} …`);
  };
}
