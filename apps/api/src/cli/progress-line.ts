import process from 'node:process';
import { grouped } from './output.js';

const TERMINAL_EVERY_MS = 200;
const LINES_EVERY_MS = 5_000;
const CLEAR_LINE = '\r\u001b[2K';

/** Progress on the error output: one line on a terminal, otherwise a line every few seconds. */
export class ProgressLine {
  private readonly output = process.stderr;
  private shownAt = performance.now();
  private isOpen = false;

  /** @param isDue shows it however short the time since the last one */
  show(text: () => string, isDue = false): void {
    const now = performance.now();
    if (!isDue && now - this.shownAt < (this.output.isTTY ? TERMINAL_EVERY_MS : LINES_EVERY_MS)) return;
    this.shownAt = now;
    this.output.write(this.output.isTTY ? `${CLEAR_LINE}${text()}` : `${text()}\n`);
    this.isOpen = this.output.isTTY;
  }

  /** The line stays, and the next output starts below it. */
  keep(): void {
    this.close('\n');
  }

  /** The line disappears from the terminal. */
  clear(): void {
    this.close(CLEAR_LINE);
  }

  private close(ending: string): void {
    if (this.isOpen) this.output.write(ending);
    this.isOpen = false;
  }
}

/** Events done and events per second. */
export class RateLine {
  private readonly startedAt = performance.now();
  private readonly line = new ProgressLine();

  constructor(private readonly word: string) {}

  show(done: number, total?: number): void {
    const of = total === undefined ? '' : ` of ${grouped(total)}`;
    this.line.show(() => {
      const rate = Math.round(done / this.seconds);
      return `${this.word}: ${grouped(done)}${of} events · ${grouped(rate)}/s`;
    });
  }

  clear(): void {
    this.line.clear();
  }

  get seconds(): number {
    return (performance.now() - this.startedAt) / 1000;
  }
}
