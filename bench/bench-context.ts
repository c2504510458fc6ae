import type { BenchServer } from './bench-server.js';
import type { Measurement } from './report.js';

export interface BenchContext {
  readonly server: BenchServer;
  readonly isQuick: boolean;
  /** Duration of one measurement. */
  readonly seconds: number;
  /** Repetitions of a measurement; the median counts. */
  readonly repeats: number;
  /** Number of questions in the community. */
  readonly questions: number;
  log(text: string): void;
  /** Adds a note below the table. */
  note(text: string): void;
}

export type Figure = (context: BenchContext) => Promise<readonly Measurement[]>;
