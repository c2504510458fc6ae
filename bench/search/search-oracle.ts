import { InvertedIndex } from '../../libs/search/src/embedded/inverted-index.js';
import { ExhaustiveSearch } from '../../libs/search/src/testing/exhaustive-search.js';
import type { Text } from './search-corpus.js';

/** Exhaustive search whose document numbers are indexes into the texts. */
export function exhaustive(texts: readonly Text[]): ExhaustiveSearch {
  const index = new InvertedIndex();
  const documents = texts.map(({ title, body }) => ({
    title: title.join(' '),
    body: [...new Set(body)].join(' '),
    tags: '',
  }));
  documents.forEach((words, place) => {
    index.put({ ...NO_FACTS, id: String(place), createdAt: place }, () => words);
  });
  return new ExhaustiveSearch(index, documents);
}

const NO_FACTS = {
  questionId: '',
  subjectId: null,
  topicId: null,
  authorId: '',
  answerCount: 0,
  isSolved: false,
  textVersion: 0,
};
