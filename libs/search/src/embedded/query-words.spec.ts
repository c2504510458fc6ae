import { describe, expect, it } from '@jest/globals';
import { wordsOf } from '@nimo/projections';
import { InvertedIndex } from './inverted-index.js';
import { queryWordsOf } from './query-words.js';

const ATTRIBUTES = { questionId: 'q', subjectId: null, topicId: null, authorId: 'a', isSolved: false };

function indexOf(...titles: string[]): InvertedIndex {
  const index = new InvertedIndex();
  titles.forEach((title, id) => {
    const attributes = { ...ATTRIBUTES, id: String(id), createdAt: id, answerCount: 0, textVersion: 1 };
    index.put(attributes, () => ({ title, body: '', tags: '' }));
  });
  return index;
}

const matches = (index: InvertedIndex, text: string) =>
  queryWordsOf(text, index).map(({ alternatives, conjunctions }) =>
    [
      ...alternatives.map(({ word }) => index.lexicon.wordAt(word)),
      ...conjunctions.map(({ words }) => words.map((word) => index.lexicon.wordAt(word)).join('+')),
    ].sort(),
  );

describe('a query word matches', () => {
  it.each([
    ['no typo in two letters', 'ip', []],
    ['one typo in three letters', 'cut', ['cat']],
    ['one typo in five letters', 'chian', ['chain']],
    ['not two typos in five letters', 'cihan', []],
    ['two typos in six letters', 'nevtom', ['newton']],
  ])('%s', (_, text, expected) => {
    expect(matches(indexOf('pi', 'cat', 'chain', 'newton'), text)).toEqual([expected]);
  });

  it('only itself, once ten documents contain it', () => {
    const rare = indexOf(...Array.from({ length: 9 }, () => 'chain'), 'chein');
    const known = indexOf(...Array.from({ length: 10 }, () => 'chain'), 'chein');
    expect(matches(rare, 'chain')).toEqual([['chain', 'chein']]);
    expect(matches(known, 'chain')).toEqual([['chain']]);
  });

  it('as a prefix only if it is the last word', () => {
    expect(matches(indexOf('photon', 'photosynthesis'), 'photos photo')).toEqual([
      ['photon'],
      ['photon', 'photosynthesis'],
    ]);
  });

  it('a compound of it and a neighbour, and its own parts', () => {
    expect(matches(indexOf('fussballplatz'), 'fussball platz')).toEqual([
      ['fussballplatz'],
      ['fussballplatz', 'fussballplatz'],
    ]);
    expect(matches(indexOf('wasser kreislauf'), 'wasserkreislauf')).toEqual([['wasser+kreislauf']]);
    expect(matches(indexOf('arbeit platz'), 'arbeitsplatz')).toEqual([['arbeit+platz']]);
  });
});

describe('a query word in a script without spaces matches', () => {
  const index = indexOf(wordsOf('光合作用的过程').join(' '), wordsOf('광합성의').join(' '));

  it.each([
    ['its characters in sequence', '光合作用', [['光合+合作+作用']]],
    ['part of a word', '合作', [['合作']]],
    ['nothing if a pair is missing', '光合成', [[]]],
    ['a Korean word without its last syllable', '광합성은', [['광합+합성']]],
  ])('%s', (_, text, expected) => {
    expect(matches(index, text)).toEqual(expected);
  });
});

it('prefers the exact spelling of the query', () => {
  const index = indexOf(wordsOf('été').join(' '), 'ete');
  const kinds = (text: string) =>
    queryWordsOf(text, index).flatMap(({ alternatives }) =>
      alternatives.map(({ word, match }) => `${index.lexicon.wordAt(word)}: ${match.kind}`),
    );
  expect(kinds('été')).toEqual(['_e_ldte_ld: exact', 'ete: folded']);
  expect(kinds('ete')).toEqual(['ete: exact']);
  expect(kinds('ètè')).toEqual(['ete: exact']);
});

it('uses each word once, and at most twelve', () => {
  const index = indexOf('rule');
  expect(queryWordsOf('rule Rule RULE', index)).toHaveLength(1);
  const many = Array.from({ length: 50 }, (_, position) => `word${position}`).join(' ');
  expect(queryWordsOf(many, index)).toHaveLength(12);
  expect(queryWordsOf(' ?! ', index)).toEqual([]);
});
