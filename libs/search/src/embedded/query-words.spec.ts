import { describe, expect, it } from '@jest/globals';
import { wordsOf } from '@nimo/projections';
import { InvertedIndex } from './inverted-index.js';
import { queryWordsOf } from './query-words.js';

const FACTS = { questionId: 'q', subjectId: null, topicId: null, authorId: 'a', isSolved: false };

function indexOf(...titles: string[]): InvertedIndex {
  const index = new InvertedIndex();
  titles.forEach((title, id) => {
    const facts = { ...FACTS, id: String(id), createdAt: id, answerCount: 0, textVersion: 1 };
    index.put(facts, () => ({ title, body: '', tags: '' }));
  });
  return index;
}

const standsFor = (index: InvertedIndex, text: string) =>
  queryWordsOf(text, index).map(({ alternatives, together }) =>
    [
      ...alternatives.map(({ word }) => index.lexicon.wordAt(word)),
      ...together.map(({ words }) => words.map((word) => index.lexicon.wordAt(word)).join('+')),
    ].sort(),
  );

describe('a word of a query stands for', () => {
  it.each([
    ['two letters: no mistake', 'ip', []],
    ['three letters: one', 'cut', ['cat']],
    ['five letters: one', 'chian', ['chain']],
    ['five letters: not two', 'cihan', []],
    ['six letters: two', 'nevtom', ['newton']],
  ])('%s', (_, text, expected) => {
    expect(standsFor(indexOf('pi', 'cat', 'chain', 'newton'), text)).toEqual([expected]);
  });

  it('itself only, once ten documents have it', () => {
    const rare = indexOf(...Array.from({ length: 9 }, () => 'chain'), 'chein');
    const known = indexOf(...Array.from({ length: 10 }, () => 'chain'), 'chein');
    expect(standsFor(rare, 'chain')).toEqual([['chain', 'chein']]);
    expect(standsFor(known, 'chain')).toEqual([['chain']]);
  });

  it('its beginning only as the last one', () => {
    expect(standsFor(indexOf('photon', 'photosynthesis'), 'photos photo')).toEqual([
      ['photon'],
      ['photon', 'photosynthesis'],
    ]);
  });

  it('the compound that it is with its neighbour, and the halves that it falls into', () => {
    expect(standsFor(indexOf('fussballplatz'), 'fussball platz')).toEqual([
      ['fussballplatz'],
      ['fussballplatz', 'fussballplatz'],
    ]);
    expect(standsFor(indexOf('wasser kreislauf'), 'wasserkreislauf')).toEqual([['wasser+kreislauf']]);
    expect(standsFor(indexOf('arbeit platz'), 'arbeitsplatz')).toEqual([['arbeit+platz']]);
  });
});

describe('a word of a query without spaces stands for', () => {
  const index = indexOf(wordsOf('光合作用的过程').join(' '), wordsOf('광합성의').join(' '));

  it.each([
    ['its characters side by side', '光合作用', [['光合+合作+作用']]],
    ['a part of a word', '合作', [['合作']]],
    ['nothing if a text lacks a pair', '光合成', [[]]],
    ['a Korean word also without its last syllable', '광합성은', [['광합+합성']]],
  ])('%s', (_, text, expected) => {
    expect(standsFor(index, text)).toEqual(expected);
  });
});

it('prefers the spelling of the query', () => {
  const index = indexOf(wordsOf('été').join(' '), 'ete');
  const kinds = (text: string) =>
    queryWordsOf(text, index).flatMap(({ alternatives }) =>
      alternatives.map(({ word, match }) => `${index.lexicon.wordAt(word)}: ${match.kind}`),
    );
  expect(kinds('été')).toEqual(['_e_ldte_ld: same', 'ete: folded']);
  expect(kinds('ete')).toEqual(['ete: same']);
  expect(kinds('ètè')).toEqual(['ete: same']);
});

it('takes each word once and no more than a dozen', () => {
  const index = indexOf('rule');
  expect(queryWordsOf('rule Rule RULE', index)).toHaveLength(1);
  const many = Array.from({ length: 50 }, (_, place) => `word${place}`).join(' ');
  expect(queryWordsOf(many, index)).toHaveLength(12);
  expect(queryWordsOf(' ?! ', index)).toEqual([]);
});
