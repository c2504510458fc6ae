import { Injectable } from '@nestjs/common';
import type { CommandResult, Position } from '@nimo/event-store';
import {
  FreshReader,
  ProjectionWaiter,
  type FreshRows,
  type FreshTable,
  type FreshWish,
} from '@nimo/projection-engine';
import { Tracing } from '../operations/tracing.js';
import type { CommandContext } from './command-context.js';
import { MAX_STUDENTS } from './own-positions.js';

/** What a read model did not have yet when a command was answered. */
interface Ahead {
  readonly projection: string;
  readonly position: Position;
  readonly until: number;
}

/** The same command, that does not wait: its caller is answered from what it wrote. */
export const unawaited = ({ freshness: _, ...context }: CommandContext): CommandContext => context;

/** Answers commands before the read side has their events, and has their students' next queries wait for it instead. */
@Injectable()
export class OwnEvents {
  private readonly ahead = new Map<string, readonly Ahead[]>();

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
    if (rows) this.note(context.by.studentId, fresh.projection.name, position);
    else await this.wait(context, done, fresh);
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

  /** Before a query of theirs: it shows no less than they were answered. Undefined where there is nothing to wait for. */
  seenBy(studentId: string): Promise<void> | undefined {
    const ahead = this.ahead.get(studentId);
    return ahead && this.settle(studentId, ahead);
  }

  private async settle(studentId: string, ahead: readonly Ahead[]): Promise<void> {
    await Promise.all(
      ahead.map(async ({ projection, position, until }) => {
        const left = until - Date.now();
        if (left > 0) await this.waiter.waitFor([projection], position, left);
      }),
    );
    if (this.ahead.get(studentId) === ahead) this.ahead.delete(studentId);
  }

  private note(studentId: string, projection: string, position: Position): void {
    const standing = this.waiter.standingOf(projection);
    if (standing && standing.position >= position) return;
    const others = (this.ahead.get(studentId) ?? []).filter((other) => other.projection !== projection);
    if (this.ahead.size >= MAX_STUDENTS) this.ahead.clear();
    const until = Date.now() + this.waiter.timeoutMs;
    this.ahead.set(studentId, [...others, { projection, position, until }]);
  }
}
