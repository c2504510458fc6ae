import process from 'node:process';
import { formatCount } from './output.js';

const TERMINAL_INTERVAL_MS = 200;
const PLAIN_INTERVAL_MS = 5_000;
const CLEAR_LINE = '\r\u001b[2K';

/** Progress on standard error: one updating line on a terminal, otherwise a new line every few seconds. */
export class ProgressLine {
  private readonly output = process.stderr;
  private shownAt = performance.now();
  private isOpen = false;

  /** @param isDue skips the throttling */
  show(text: () => string, isDue = false): void {
    const now = performance.now();
    if (!isDue && now - this.shownAt < (this.output.isTTY ? TERMINAL_INTERVAL_MS : PLAIN_INTERVAL_MS)) return;
    this.shownAt = now;
    this.output.write(this.output.isTTY ? `${CLEAR_LINE}${text()}` : `${text()}\n`);
    this.isOpen = this.output.isTTY;
  }

  /** Ends the line and keeps it on screen. */
  keep(): void {
    this.close('\n');
  }

  /** Erases the line. */
  clear(): void {
    this.close(CLEAR_LINE);
  }

  private close(ending: string): void {
    if (this.isOpen) this.output.write(ending);
    this.isOpen = false;
  }
}

/** Progress line with the number of events and events per second. */
export class RateLine {
  private readonly startedAt = performance.now();
  private readonly line = new ProgressLine();

  constructor(private readonly label: string) {}

  show(done: number, total?: number): void {
    const of = total === undefined ? '' : ` of ${formatCount(total)}`;
    this.line.show(() => {
      const rate = Math.round(done / this.seconds);
      return `${this.label}: ${formatCount(done)}${of} events · ${formatCount(rate)}/s`;
    });
  }

  clear(): void {
    this.line.clear();
  }

  get seconds(): number {
    return (performance.now() - this.startedAt) / 1000;
  }
}
