import type { Location } from 'react-router-dom';

/** What leads to the spaces from a page that one only reads: the space to join, and where to go on once joined. */
export interface JoinState {
  joins: string;
  backTo: string;
}

export function joinStateOf({ state }: Pick<Location, 'state'>): JoinState | undefined {
  const { joins, backTo } = (state ?? {}) as Partial<JoinState>;
  return joins === undefined || backTo === undefined ? undefined : { joins, backTo };
}
