import { useState } from 'react';
import type { AnswerDetailFragment } from '../../generated/graphql';

interface ShownAnswer {
  readonly answer: AnswerDetailFragment;
  /** It was removed, and only what is being written on it is still there. */
  readonly isGone: boolean;
}

type Answers = readonly AnswerDetailFragment[];

/** Each kept answer stays behind the one that it stood behind, so that the field with the caret is not moved. */
function withKept(answers: Answers, before: readonly ShownAnswer[], isKept: (answerId: string) => boolean) {
  const shown: ShownAnswer[] = answers.map((answer) => ({ answer, isGone: false }));
  const placeOf = (answerId: string) => shown.findIndex(({ answer }) => answer._id === answerId);
  before.forEach(({ answer }, index) => {
    if (placeOf(answer._id) !== -1 || !isKept(answer._id)) return;
    const previous = before.slice(0, index).findLast((other) => placeOf(other.answer._id) !== -1);
    shown.splice(previous ? placeOf(previous.answer._id) + 1 : 0, 0, { answer, isGone: true });
  });
  return shown;
}

/** The answers, with those that are gone while their reader still writes on them. */
export function useKeptAnswers(
  answers: Answers | undefined,
  isWritten: (answerId: string) => boolean,
): readonly ShownAnswer[] | undefined {
  const [known, setKnown] = useState<{ answers?: Answers; shown: readonly ShownAnswer[] }>({ shown: [] });
  if (answers === undefined) return undefined;
  if (answers !== known.answers) setKnown({ answers, shown: withKept(answers, known.shown, isWritten) });
  return known.shown.filter(({ answer, isGone }) => !isGone || isWritten(answer._id));
}
