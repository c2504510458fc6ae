import type { EventStore } from '@nimo/event-store';
import type { Pool } from 'pg';
import type { SwitchRefusal } from '../generations/switch-generation.js';
import type { Projection } from '../projection.js';
import type { AppliedBatch } from './generation-runner.js';

export interface ProjectionWorkerOptions {
  readonly pool: Pool;
  readonly store: EventStore;
  readonly projections: readonly Projection[];
  /** What went wrong and is being tried again, or stopped one projection. */
  readonly onError: (error: unknown, projection?: string) => void;
  /** Events that a live projection has just applied, one batch after the other; builds tell nothing. */
  readonly onApplied?: (batch: AppliedBatch) => void;
  /** Why no generation may take the place of another now: what is built then waits, and goes on following. */
  readonly refusal?: SwitchRefusal;
  /** Events a page of a build; otherwise as many as whatever else goes on allows. */
  readonly pageSize?: number;
  /** How much of what is built is kept in memory, in all. */
  readonly buildBytes?: number;
  /** Types of events after which those before them read otherwise: an erasure. A verification allows for them. */
  readonly rewriting?: readonly string[];
  /** How often the work that others hold is applied for. */
  readonly retryMs?: number;
  /** Something is free, or to be given away: the others should look (see `look`), which they do by themselves every `retryMs`. */
  readonly onChange?: () => void;
  /** It stays for a moment: it takes what nobody leads where no other worker is, and nobody makes room for it. */
  readonly isPassing?: boolean;
}
