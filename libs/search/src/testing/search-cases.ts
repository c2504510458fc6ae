import type { PostSearch, QuestionSearch } from '../search-engine.js';
import type { AnswerName, Library, QuestionName } from './library.fixture.js';

/** What it shows, the query, and the first hits in any order; `[]` where nothing may be found. */
export type QuestionCase = readonly [string, string, readonly QuestionName[]];

export const FIRST_HITS: readonly QuestionCase[] = [
  ['a word of a title', 'photosynthesis', ['photo', 'sky']],
  ['a word of a body', 'polymers', ['ruler']],
  ['several words', 'product derivatives', ['product']],
  ['a whole title', 'How does the chain rule work?', ['chain']],
  ['words in another order', 'work rule chain', ['chain']],
  ['words of title and body', 'chain chemistry', ['ruler']],
  ['whatever the case', 'NEWTON', ['newton']],
  ['a word before an apostrophe', 'newton law', ['newton']],
  ['a number of signs around', '  ¿photosynthesis?!  ', ['photo', 'sky']],
  ['a title before a body', 'photosynthesis light', ['photo']],
  ['a whole word before the beginning of another', 'cat', ['cat']],
  ['the beginning of a word', 'photosyn', ['photo', 'sky']],
  ['the beginning of the last word', 'what is photo', ['photo']],
  ['a beginning of three letters', 'pol', ['ruler']],
  ['a phrase', '"chain rule"', ['chain']],
  ['a phrase of a body', '"step by step"', ['chain']],
  ['a tag', 'botanik', ['photo']],
  ['the beginning of a tag', 'botan', ['photo']],
  ['no typing mistake in two letters', 'px', []],
  ['two letters as they are', 'pi', ['pi']],
  ['one mistake in three letters: changed', 'cht', ['cat']],
  ['one mistake in five letters: left out', 'chan rule', ['chain', 'ruler']],
  ['one mistake in five letters: swapped', 'chian rule work', ['chain']],
  ['one mistake in five letters: put in', 'purrr', ['cat']],
  ['not two mistakes in five letters', 'cxxin', []],
  ['two mistakes in six letters', 'nevtom', ['newton']],
  ['two mistakes in a long word', 'fotosinthesis', []],
  ['two mistakes in a long word: allowed', 'photosintesis', ['photo', 'sky']],
  ['not three mistakes', 'phoxxxynthesis', []],
  ['a German compound', 'Kettenregel', ['kettenregel']],
  ['the beginning of a compound', 'Donaudampf', ['donau']],
  ['a compound with a mistake', 'Donaudampfschiffahrt', ['donau']],
  ['a compound typed in two words', 'Fußball Platz', ['fussball']],
  ['two words typed as a compound', 'Wasserkreislauf', ['wasser']],
  ['an umlaut as it is', 'Lösung', ['loesung']],
  ['an umlaut left out', 'losung', ['loesung']],
  ['ß as ss', 'gross', ['fussball']],
  ['French accents left out', 'equation degre', ['eleve']],
  ['French accents in capitals', 'FORÊT', ['foret']],
  ['œ as oe', 'coeur', ['coeur']],
  ['a French word after an article', 'équation', ['eleve']],
  ['Spanish accents left out', 'nino', ['nino']],
  ['Spanish after ¿', 'cómo aprende', ['nino']],
  ['Spanish with a mistake', 'ecuasion de la recta', ['recta']],
  ['Italian accents left out', 'perche mare salato', ['mare']],
  ['Italian after an apostrophe', 'italia', ['citta']],
  ['Cyrillic', 'Пифагора', ['pifagor']],
  ['Cyrillic capitals', 'ТЕОРЕМА', ['pifagor']],
  ['the beginning of a Cyrillic word', 'пифаг', ['pifagor']],
  ['Cyrillic with a mistake', 'теарема', ['pifagor']],
  ['Cyrillic of a body', 'катетов', ['pifagor']],
  ['ё as е', 'елка', ['elka']],
  ['a word that nobody wrote', 'zzyzx', []],
  ['nothing but signs', '?! … "" -- \\ % _ * | & ( ) < > : `', []],
  ['nothing', '   ', []],
  ['operators as words', 'photosynthesis:* & !light | (sugar)', ['photo']],
  ['a filter in the text as words', 'photosynthesis && space_id:=x`', ['photo', 'sky']],
  ['an exclusion as a word', '-photosynthesis', ['photo', 'sky']],
];

export type FilterCase = readonly [
  string,
  (library: Library) => Partial<QuestionSearch>,
  readonly QuestionName[],
];

/** All of the query "fibonacci". */
export const FILTERS: readonly FilterCase[] = [
  ['none: the space only', () => ({}), ['mine', 'solved']],
  ['solved', () => ({ isSolved: true }), ['solved']],
  ['unsolved', () => ({ isSolved: false }), ['mine']],
  ['the author', ({ bob }) => ({ authorId: bob }), ['mine']],
  ['saved', ({ ada }) => ({ savedBy: ada }), ['mine']],
  ['saved by somebody who saved nothing', ({ bob }) => ({ savedBy: bob }), []],
  ['the subject', ({ mathematics }) => ({ subjectId: mathematics }), ['mine', 'solved']],
  ['another subject', ({ biology }) => ({ subjectId: biology }), []],
  ['the topic', ({ calculus }) => ({ topicId: calculus.topicId }), ['mine']],
  ['the newest first', () => ({ sort: 'NEWEST' }), ['mine', 'solved']],
  ['the most answered first', () => ({ sort: 'MOST_ANSWERED' }), ['solved', 'mine']],
  ['a page of one', () => ({ sort: 'NEWEST', limit: 1 }), ['mine']],
  ['the page after it', () => ({ sort: 'NEWEST', skip: 1, limit: 1 }), ['solved']],
];

export type AnswerCase = readonly [
  string,
  string,
  (library: Library) => Partial<PostSearch>,
  readonly AnswerName[],
];

export const ANSWERS: readonly AnswerCase[] = [
  ['a word', 'derivative', () => ({}), ['outer']],
  ['a mistake', 'derivatve', () => ({}), ['outer']],
  ['a beginning', 'discrim', () => ({}), ['discriminant', 'gone']],
  ['Cyrillic', 'гипотенузу', () => ({}), ['gips']],
  ['a subject', 'discriminant', ({ mathematics }) => ({ subjectId: mathematics }), ['discriminant', 'gone']],
  ['another subject', 'discriminant', ({ biology }) => ({ subjectId: biology }), []],
  ['not the words of the question', 'chain', () => ({}), []],
];
