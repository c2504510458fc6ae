import type { BenchServer } from './bench-server.js';
import type { Measurement } from './report.js';

export interface BenchContext {
  readonly server: BenchServer;
  readonly isQuick: boolean;
  /** Seconds of one measurement. */
  readonly seconds: number;
  /** How often a measurement is repeated; the median counts. */
  readonly repeats: number;
  /** Questions in the community. */
  readonly questions: number;
  log(text: string): void;
  /** Goes below the table. */
  note(text: string): void;
}

export type Figure = (context: BenchContext) => Promise<readonly Measurement[]>;
