import { Injectable } from '@nestjs/common';
import type { Position } from '@nimo/event-store';
import { ProjectionWaiter } from '@nimo/projection-engine';

/** Remembered at once; whoever is forgotten may read a moment too early. */
export const MAX_STUDENTS = 10_000;

interface OwnPosition {
  readonly position: Position;
  readonly until: number;
}

/** How far in the log students' own commands went just now, for lists of what they did themselves that are filled with some delay. */
@Injectable()
export class OwnPositions {
  private readonly latest = new Map<string, OwnPosition>();

  constructor(private readonly waiter: ProjectionWaiter) {}

  note(studentId: string, position: Position): void {
    if (this.latest.size >= MAX_STUDENTS) this.latest.clear();
    this.latest.set(studentId, { position, until: Date.now() + this.waiter.timeoutMs });
  }

  /** Waits until the projection has what the student did through this process, as long after it as a command waits. */
  async seenIn(projection: string, studentId: string): Promise<void> {
    const own = this.latest.get(studentId);
    if (!own) return;
    const left = own.until - Date.now();
    if (left > 0) await this.waiter.waitFor([projection], own.position, left);
    if (this.latest.get(studentId) === own) this.latest.delete(studentId);
  }
}
