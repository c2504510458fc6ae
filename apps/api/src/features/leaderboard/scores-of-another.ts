import type { AnsweredRead, ReadScope } from '../../platform/traces/traces.js';

export interface OfStudent {
  readonly space: string;
  readonly studentId?: string | null;
}

interface Page {
  readonly docs: readonly unknown[];
}

/** One's own points are no secret from oneself; those of others are for moderators. */
export function scoresOfAnother({
  args: { space, studentId },
  viewer,
  result,
}: AnsweredRead<OfStudent, readonly unknown[] | Page>): ReadScope | null {
  if (!studentId || studentId.toLowerCase() === viewer.studentId) return null;
  return {
    spaceIds: [space],
    studentIds: [studentId],
    rows: ('docs' in result ? result.docs : result).length,
  };
}
