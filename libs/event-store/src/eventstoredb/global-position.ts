import type { Position as GlobalPosition } from '@eventstore/db-client';
import type { Position } from '../port.js';

/** As many digits as the largest unsigned 64-bit number has, so that positions compare as plain strings. */
const DIGITS = 20;
const GLOBAL_POSITION = /^(\d{20})\/(\d{20})$/;

export function formatGlobalPosition({ commit, prepare }: GlobalPosition): Position {
  return `${digits(commit)}/${digits(prepare)}`;
}

export function parseGlobalPosition(position: Position): GlobalPosition {
  const [, commit, prepare] = GLOBAL_POSITION.exec(position) ?? [];
  if (commit === undefined || prepare === undefined) {
    throw new RangeError(`not a position of this store: ${position}`);
  }
  return { commit: BigInt(commit), prepare: BigInt(prepare) };
}

function digits(part: bigint): string {
  return part.toString().padStart(DIGITS, '0');
}
