import type { SpaceStatisticsQuery } from '../../generated/graphql';

export type Clarity = SpaceStatisticsQuery['getSpaceStatistics']['subjects'][number];

/** How long a question waits for its first answer, the shortest first. */
export const waits = [
  { name: 'withinHour', color: 'teal.7' },
  { name: 'withinDay', color: 'accent.5' },
  { name: 'withinWeek', color: 'grape.5' },
  { name: 'later', color: 'orange.6' },
  { name: 'unanswered', color: 'gray.5' },
] as const satisfies ReadonlyArray<{ name: keyof Clarity; color: string }>;

export type Wait = (typeof waits)[number]['name'];

/** The wait within which half of the questions were answered: the median, as far as classes can tell it. */
export function half(clarity: Clarity): Wait {
  let answered = 0;
  for (const { name } of waits) {
    answered += clarity[name];
    if (answered * 2 >= clarity.questions) return name;
  }
  return 'unanswered';
}
