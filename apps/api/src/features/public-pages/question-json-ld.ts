import { plainTextOf } from '@nimo/rich-text';
import { nameOf, type PublicAnswer, type PublicQuestion } from './public-question.js';

type JsonLd = Readonly<Record<string, unknown>>;

/** https://schema.org/QAPage; `address` is the page's own, where it is known. */
export function questionJsonLd({ question, answers }: PublicQuestion, address: string | undefined): JsonLd {
  const accepted = answers.find(({ isAccepted }) => isAccepted);
  const suggested = answers.filter(({ isAccepted }) => !isAccepted);
  return {
    '@context': 'https://schema.org',
    '@type': 'QAPage',
    mainEntity: {
      '@type': 'Question',
      name: question.title,
      text: plainTextOf(question.body) || question.title,
      answerCount: question.answerCount,
      upvoteCount: question.upvoteCount,
      datePublished: question.createdAt,
      ...(question.editedAt !== null && { dateModified: question.editedAt }),
      author: personOf(question.author),
      ...(address !== undefined && { url: address }),
      ...(accepted && { acceptedAnswer: answerOf(accepted, address) }),
      ...(suggested.length > 0 && { suggestedAnswer: suggested.map((answer) => answerOf(answer, address)) }),
    },
  };
}

const personOf = (author: Parameters<typeof nameOf>[0]): JsonLd => ({
  '@type': 'Person',
  name: nameOf(author),
});

const answerOf = ({ answer }: PublicAnswer, address: string | undefined): JsonLd => ({
  '@type': 'Answer',
  text: plainTextOf(answer.body),
  upvoteCount: answer.upvoteCount,
  datePublished: answer.createdAt,
  ...(answer.editedAt !== null && { dateModified: answer.editedAt }),
  author: personOf(answer.author),
  ...(address !== undefined && { url: `${address}#answer-${answer._id}` }),
});
