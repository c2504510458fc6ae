import { grouped } from '../progress-line.js';

const TERMINAL_EVERY_MS = 200;
const LINES_EVERY_MS = 5_000;

/** How many events were done, and how fast: on a terminal in one line, otherwise in a line now and then. */
export class RateLine {
  private readonly startedAt = performance.now();
  private shownAt = this.startedAt;
  private isOpen = false;

  constructor(
    private readonly word: string,
    private readonly output: NodeJS.WriteStream,
  ) {}

  show(done: number, total?: number): void {
    const now = performance.now();
    if (now - this.shownAt < (this.output.isTTY ? TERMINAL_EVERY_MS : LINES_EVERY_MS)) return;
    this.shownAt = now;
    const rate = Math.round(done / ((now - this.startedAt) / 1000));
    const of = total === undefined ? '' : ` of ${grouped(total)}`;
    const text = `${this.word}: ${grouped(done)}${of} events · ${grouped(rate)}/s`;
    this.output.write(this.output.isTTY ? `\r\u001b[2K${text}` : `${text}\n`);
    this.isOpen = this.output.isTTY;
  }

  end(): void {
    if (this.isOpen) this.output.write('\r\u001b[2K');
    this.isOpen = false;
  }

  get seconds(): number {
    return (performance.now() - this.startedAt) / 1000;
  }
}
