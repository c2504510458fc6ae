import type { NumberedPositions, Position } from './port.js';

/** The digits of PostgreSQL's largest bigint, so that positions compare as plain strings. */
const DIGITS = 19;
const NUMERIC_POSITION = /^\d{19}$/;

export function formatPosition(position: number | string): Position {
  return String(position).padStart(DIGITS, '0');
}

/** Positions count events from 1, so a double holds every one a log will reach. */
export function parsePosition(position: Position): number {
  if (!NUMERIC_POSITION.test(position)) throw new RangeError(`not a position of this store: ${position}`);
  return Number(position);
}

export const NUMERIC_POSITIONS: NumberedPositions = { ordinalOf: parsePosition, positionOf: formatPosition };
