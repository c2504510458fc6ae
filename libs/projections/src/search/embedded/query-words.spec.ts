import { describe, expect, it } from '@jest/globals';
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
  queryWordsOf(text, index).map(({ alternatives, halves }) =>
    [
      ...alternatives.map(({ word }) => index.lexicon.wordAt(word)),
      ...halves.map((pair) => pair.map((half) => index.lexicon.wordAt(half)).join('+')),
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

it('takes each word once and no more than a dozen', () => {
  const index = indexOf('rule');
  expect(queryWordsOf('rule Rule RULE', index)).toHaveLength(1);
  const many = Array.from({ length: 50 }, (_, place) => `word${place}`).join(' ');
  expect(queryWordsOf(many, index)).toHaveLength(12);
  expect(queryWordsOf(' ?! ', index)).toEqual([]);
});
