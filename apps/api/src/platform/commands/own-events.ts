import { Injectable } from '@nestjs/common';
import type { CommandResult } from '@nimo/event-store';
import {
  FreshReader,
  ProjectionWaiter,
  type FreshRows,
  type FreshTable,
  type FreshWish,
} from '@nimo/projection-engine';
import { Tracing } from '../operations/tracing.js';
import type { CommandContext } from './command-context.js';

/** The same command, that does not wait: its caller is answered from what it wrote. */
export const unawaited = ({ freshness: _, ...context }: CommandContext): CommandContext => context;

/** Answers commands before the read side has their events. The next queries of their students wait for it instead (`OwnPositions`). */
@Injectable()
export class OwnEvents {
  constructor(
    private readonly reader: FreshReader,
    private readonly waiter: ProjectionWaiter,
    private readonly tracing: Tracing,
  ) {}

  /**
   * @returns the rows after the command's events. Undefined where they are to be read from what is stored: nothing was written, or the
   * read side was waited for
   */
  async rows(
    context: CommandContext,
    done: CommandResult,
    fresh: FreshTable,
    wish: FreshWish,
  ): Promise<FreshRows | undefined> {
    const { position, duplicate } = done;
    if (position === undefined) return undefined;
    // What a repeated command decided upon may be gone by now.
    const rows = duplicate ? undefined : await this.reader.read(fresh, position, wish);
    if (!rows) await this.wait(context, done, fresh);
    return rows;
  }

  /** Until what is stored has the command's events, or the time is over: then `freshness` says so. */
  async wait(
    { freshness }: CommandContext,
    { position }: CommandResult,
    { projection }: FreshTable,
  ): Promise<void> {
    if (position === undefined) return;
    const { stale } = await this.tracing.inSpan('wait for projections', {}, () =>
      this.waiter.waitFor([projection.name], position),
    );
    if (stale && freshness) freshness.stale = true;
  }
}
