import type { OwnExports, TakenExport } from './own-exports.js';

/** Often enough to be told from a worker that is gone. */
const BEAT_MS = 2_000;

/** Somebody else is at it by now, or the copy is wanted no more. */
export class ExportEnded extends Error {}

/** Says how far a copy is, and hears whether it is still wanted. */
export class Beat {
  private percent = 0;
  private hasEnded = false;
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly exports: OwnExports,
    private readonly taken: TakenExport,
  ) {
    this.timer = setInterval(() => {
      // The database may be away for a moment: the next beat says it.
      this.tell().catch(() => undefined);
    }, BEAT_MS);
  }

  /** @throws ExportEnded where the last beat heard so */
  reach(percent: number): void {
    this.percent = Math.max(this.percent, Math.floor(percent));
    if (this.hasEnded) throw new ExportEnded();
  }

  /** @throws ExportEnded */
  async check(): Promise<void> {
    await this.tell();
    this.reach(this.percent);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private async tell(): Promise<void> {
    this.hasEnded = !(await this.exports.progress(this.taken, this.percent));
  }
}
