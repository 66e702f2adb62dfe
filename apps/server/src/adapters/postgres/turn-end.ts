type Work = () => void;

const gathering: Work[] = [];
const sending: Work[] = [];
let isScheduled = false;

function endTurn(): void {
  for (const work of gathering.splice(0)) work();
  // With what was gathered just now.
  for (const work of sending.splice(0)) work();
  isScheduled = false;
  if (gathering.length + sending.length > 0) schedule();
}

function schedule(): void {
  if (!isScheduled) setImmediate(endTurn);
  isScheduled = true;
}

/** Runs at the end of this turn of the event loop, when the requests that arrived in it have asked for what they need. */
export function atTurnEnd(work: Work): void {
  gathering.push(work);
  schedule();
}

/** Runs right after that. */
export function afterTurnEnd(work: Work): void {
  sending.push(work);
  schedule();
}
