import { Injectable } from '@nestjs/common';
import type { Position } from '@nimo/event-store';
import { ProjectionWaiter } from '@nimo/projection-engine';

/** Students remembered at once. The one who has been idle longest is forgotten first and may then read a moment too early. */
const MAX_STUDENTS = 10_000;

interface Freshness {
  stale: boolean;
}

interface OwnPosition {
  readonly position: Position;
  /** When the student's queries stop waiting and say `stale` instead. */
  readonly until: number;
  /** Projections that may not have the student's events yet, each with the last position that must be in it. */
  readonly behind: Map<string, Position>;
}

/**
 * How far in the log each student's own commands went. Their queries wait for the projections concerned, as long after the command as the
 * command itself would, and say `stale` for as long as a projection is still behind: while no worker runs, that may be minutes.
 */
@Injectable()
export class OwnPositions {
  private readonly students = new Map<string, OwnPosition>();

  constructor(private readonly waiter: ProjectionWaiter) {}

  /** @param visibleIn projections in which the student sees the command's effect */
  note(studentId: string, position: Position, visibleIn: readonly string[] = []): void {
    const before = this.students.get(studentId);
    const behind = new Map(before?.behind);
    for (const projection of visibleIn) behind.set(projection, later(position, behind.get(projection)));
    // Added again, so that the first key is the student who has been idle longest.
    this.students.delete(studentId);
    const [idle] = this.students.keys();
    if (idle !== undefined && this.students.size >= MAX_STUDENTS) this.students.delete(idle);
    const until = Date.now() + this.waiter.timeoutMs;
    this.students.set(studentId, { position: later(position, before?.position), until, behind });
  }

  /** Before a query of that student. Undefined where there is nothing to wait for. */
  seenBy(studentId: string, freshness: Freshness): Promise<void> | undefined {
    const own = this.students.get(studentId);
    if (!own) return undefined;
    const { behind, until } = own;
    for (const [projection, position] of behind)
      if ((this.waiter.standingOf(projection)?.position ?? '') >= position) behind.delete(projection);
    return behind.size === 0 ? undefined : this.settle(behind, until, freshness);
  }

  /** For a projection that commands don't wait for because it is filled with some delay. */
  async seenIn(projection: string, studentId: string, freshness: Freshness): Promise<void> {
    const own = this.students.get(studentId);
    if (own) await this.settle(new Map([[projection, own.position]]), own.until, freshness);
  }

  private async settle(behind: Map<string, Position>, until: number, freshness: Freshness): Promise<void> {
    const left = Math.max(0, until - Date.now());
    await Promise.all(
      [...behind].map(async ([projection, position]) => {
        const { stale } = await this.waiter.waitFor([projection], position, left);
        if (stale) freshness.stale = true;
      }),
    );
  }
}

/** Commands that run at the same time may be noted in any order, and a repeated one has the position of its first run. */
const later = (one: Position, other: Position | undefined): Position =>
  other !== undefined && other > one ? other : one;
