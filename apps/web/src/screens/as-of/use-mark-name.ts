import { useTranslation } from 'react-i18next';
import { wholeNumber } from '../../lib/format';
import { auditKinds } from '../audit/audit-kinds';
import { exactMoment, type Mark, type Point } from './point';

/** What happens on a question's page and is no matter of the audit. */
const pageKinds = [
  'QuestionAsked',
  'QuestionEdited',
  'AnswerPosted',
  'AnswerEdited',
  'AnswerAccepted',
  'CommentPosted',
] as const;

/** What happened at a mark, or at several that the slider has no room to tell apart, and when. */
export function useMarkName(): (marks: readonly Mark[], by: Point['by']) => string {
  const { t, i18n } = useTranslation('asOf');
  const { t: audit } = useTranslation('audit');
  const kindName = (kind: string): string => {
    const onPage = pageKinds.find((known) => known === kind);
    if (onPage) return t(`marks.${onPage}`);
    const audited = auditKinds.find((known) => known === kind);
    return audited ? audit(`kinds.${audited}`) : t('marks.other');
  };
  const placeOf = ({ ordinal, at }: Mark, by: Point['by']): string =>
    by === 'moment'
      ? exactMoment(at, i18n.language)
      : t('picker.ordinalOf', { ordinal: wholeNumber(ordinal, i18n.language) });
  return (marks, by) => {
    const times = new Map<string, number>();
    for (const { kind } of marks) times.set(kindName(kind), (times.get(kindName(kind)) ?? 0) + 1);
    const what = [...times].map(([name, count]) => (count > 1 ? `${name} × ${count}` : name)).join(', ');
    const [first, last] = [marks[0], marks.at(-1)];
    const places = [first, last].flatMap((mark) => (mark ? [placeOf(mark, by)] : []));
    return `${what} (${[...new Set(places)].join(' – ')})`;
  };
}
