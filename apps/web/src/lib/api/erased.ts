import type { TypePolicy } from '@apollo/client';
import { i18n } from '../../i18n/i18n';

/** These fields are empty only after an erasure. Translated here once, for every list and page. */
const ERASABLE: Readonly<Record<string, readonly string[]>> = {
  Question: ['title'],
  Answer: ['title', 'body'],
  Comment: ['body'],
  AnswerAsOf: ['title', 'body'],
  ActivityQuestion: ['title'],
  ActivityAnswer: ['title', 'body'],
  ActivityComment: ['title', 'body'],
  ActivityQuestionComment: ['title', 'body'],
  ScoredQuestion: ['title'],
  QueuedCase: ['title'],
  ModerationCase: ['title'],
  StudentPost: ['title'],
};

const read = (value: unknown): unknown => (value === '' ? i18n.t('ask:erased.text') : value);

export const erasablePolicies: Readonly<Record<string, TypePolicy>> = Object.fromEntries(
  Object.entries(ERASABLE).map(([type, fields]) => [
    type,
    { fields: Object.fromEntries(fields.map((field) => [field, read])) },
  ]),
);

/** The username; an erased student has none. */
export const shownName = (person: { readonly userName: string } | null): string =>
  person?.userName || i18n.t('ask:erased.student');
