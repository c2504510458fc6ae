import type { projections } from '@nimo/projections';
import type { Position } from '@nimo/event-store';

export type ProjectionName = (typeof projections)[number]['name'];

/** Waits until projections have passed a position, so that a caller sees what it has just done. */
export abstract class ReadYourWrites {
  /** @returns false where one of them had not got there within a second */
  abstract wait(names: readonly ProjectionName[], position: Position): Promise<boolean>;
}
