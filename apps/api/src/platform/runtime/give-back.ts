import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const LOOKS_EVERY_MS = 5_000;
/** Of the event loop's time: below it nobody is kept waiting. */
const IDLE_SHARE = 0.02;
/** How much more than at the end of the last look for garbage a process has to hold before it is worth another one. */
const WORTH_IT = 1.3;

export interface GiveBackOptions {
  /** Looks through the whole heap and returns what nothing is in. */
  readonly collect?: () => void;
  readonly held?: () => number;
  /** The share of its time in which the event loop was at work since the last call. */
  readonly utilization?: () => number;
}

/**
 * Gives memory back to the machine once what needed it is over: a start leaves as much garbage as the process will hold, and a rebuild a young
 * generation of 190 MB, which V8 keeps for as long as nothing is allocated. Never while there is something to do.
 *
 * @returns the end of it
 */
export function giveBackWhenIdle(options: GiveBackOptions = {}): () => void {
  const look = givingBack(options);
  const timer = setInterval(look, LOOKS_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** One look, which is made again and again. */
export function givingBack({
  collect = collector(),
  held = () => process.memoryUsage.rss(),
  utilization = utilizationSinceLast(),
}: GiveBackOptions): () => void {
  let heldAfter = 0;
  return () => {
    if (utilization() > IDLE_SHARE || held() < heldAfter * WORTH_IT) return;
    collect();
    heldAfter = held();
  };
}

function collector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}

function utilizationSinceLast(): () => number {
  let last = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    return utilization;
  };
}
