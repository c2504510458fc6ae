import { Injectable } from '@nestjs/common';
import type { Position } from '@nimo/event-store';
import { ProjectionWaiter } from '@nimo/projection-engine';

/** As long as a command waits at most. */
export const PATIENCE_MS = 1_000;
/** Remembered at once; whoever is forgotten may read a moment too early. */
export const MAX_STUDENTS = 10_000;

interface OwnPosition {
  readonly position: Position;
  readonly until: number;
}

/** How far in the log students' own commands went in the last second, for lists of what they did themselves that are filled with some delay. */
@Injectable()
export class OwnPositions {
  private readonly latest = new Map<string, OwnPosition>();

  constructor(private readonly waiter: ProjectionWaiter) {}

  note(studentId: string, position: Position): void {
    if (this.latest.size >= MAX_STUDENTS) this.latest.clear();
    this.latest.set(studentId, { position, until: Date.now() + PATIENCE_MS });
  }

  /** Until the projection has what the student did through this process, within a second of it. */
  async seenIn(projection: string, studentId: string): Promise<void> {
    const own = this.latest.get(studentId);
    if (!own) return;
    const left = own.until - Date.now();
    if (left > 0) await this.waiter.waitFor([projection], own.position, left);
    if (this.latest.get(studentId) === own) this.latest.delete(studentId);
  }
}
