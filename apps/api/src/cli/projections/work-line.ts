import process from 'node:process';
import type { PassProgress, WorkProgress } from '@nimo/projection-engine';
import { duration, grouped } from '../progress-line.js';

const TERMINAL_EVERY_MS = 200;
const LINES_EVERY_MS = 5_000;

/** Progress of a projection's work on the error output: one line on a terminal, otherwise a line now and then. */
export function workLine(what: string) {
  const output = process.stderr;
  const every = output.isTTY ? TERMINAL_EVERY_MS : LINES_EVERY_MS;
  // What is done at once needs no line in a script's log.
  let shownAt = output.isTTY ? -Infinity : performance.now();
  return {
    show: (progress: WorkProgress | PassProgress): void => {
      const now = performance.now();
      if (now - shownAt < every) return;
      shownAt = now;
      const text = `${what}: ${progressText(progress)}`;
      output.write(output.isTTY ? `\r\u001b[2K${text}` : `${text}\n`);
    },
    end: (): void => {
      if (output.isTTY && shownAt > -Infinity) output.write('\n');
    },
  };
}

/** A pass that is at the end of the log has the indexes and switches of some before it. */
export function progressText(progress: WorkProgress | PassProgress): string {
  const { done, total, eventsPerSecond, secondsLeft } = progress;
  const ended = 'ended' in progress ? ` · ${progress.ended} of ${progress.of} done` : '';
  if (ended !== '' && done >= total) return `${grouped(total)} events · indexing and switching${ended}`;
  const rest = secondsLeft === null ? '' : ` · ${duration(secondsLeft)} left`;
  return `${grouped(done)} of ${grouped(total)} · ${grouped(Math.round(eventsPerSecond))}/s${rest}${ended}`;
}
