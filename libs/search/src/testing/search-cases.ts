import type { PostSearch, QuestionSearch } from '../search-engine.js';
import type { AnswerName, Library, QuestionName } from './library.fixture.js';

/** Name, query, and first hits in any order; `[]` if nothing may be found. */
export type QuestionCase = readonly [string, string, readonly QuestionName[]];

export const FIRST_HITS: readonly QuestionCase[] = [
  ['a word in a title', 'photosynthesis', ['photo', 'sky']],
  ['a word in a body', 'polymers', ['ruler']],
  ['several words', 'product derivatives', ['product']],
  ['a whole title', 'How does the chain rule work?', ['chain']],
  ['words in another order', 'work rule chain', ['chain']],
  ['words in title and body', 'chain chemistry', ['ruler']],
  ['any case', 'NEWTON', ['newton']],
  ['a word before an apostrophe', 'newton law', ['newton']],
  ['surrounding punctuation', '  ¿photosynthesis?!  ', ['photo', 'sky']],
  ['a title before a body', 'photosynthesis light', ['photo']],
  ['a whole word before a prefix match', 'cat', ['cat']],
  ['a prefix', 'photosyn', ['photo', 'sky']],
  ['a prefix as the last word', 'what is photo', ['photo']],
  ['a prefix of three letters', 'pol', ['ruler']],
  ['a phrase', '"chain rule"', ['chain']],
  ['a phrase in a body', '"step by step"', ['chain']],
  ['a tag', 'botanik', ['photo']],
  ['a prefix of a tag', 'botan', ['photo']],
  ['no typo in two letters', 'px', []],
  ['two exact letters', 'pi', ['pi']],
  ['one typo in three letters: substitution', 'cht', ['cat']],
  ['one typo in five letters: deletion', 'chan rule', ['chain', 'ruler']],
  ['one typo in five letters: transposition', 'chian rule work', ['chain']],
  ['one typo in five letters: insertion', 'purrr', ['cat']],
  ['not two typos in five letters', 'cxxin', []],
  ['two typos in six letters', 'nevtom', ['newton']],
  ['not three typos in a long word', 'fotosinthesis', []],
  ['two typos in a long word', 'photosintesis', ['photo', 'sky']],
  ['not three adjacent typos', 'phoxxxynthesis', []],
  ['a German compound', 'Kettenregel', ['kettenregel']],
  ['a prefix of a compound', 'Donaudampf', ['donau']],
  ['a compound with a typo', 'Donaudampfschiffahrt', ['donau']],
  ['a compound typed as two words', 'Fußball Platz', ['fussball']],
  ['two words typed as a compound', 'Wasserkreislauf', ['wasser']],
  ['an umlaut', 'Lösung', ['loesung']],
  ['an omitted umlaut', 'losung', ['loesung']],
  ['ß as ss', 'gross', ['fussball']],
  ['omitted French accents', 'equation degre', ['eleve']],
  ['capital letters with French accents', 'FORÊT', ['foret']],
  ['œ as oe', 'coeur', ['coeur']],
  ['a French word after an article', 'équation', ['eleve']],
  ['omitted Spanish accents', 'nino', ['nino']],
  ['Spanish after ¿', 'cómo aprende', ['nino']],
  ['Spanish with a typo', 'ecuasion de la recta', ['recta']],
  ['omitted Italian accents', 'perche mare salato', ['mare']],
  ['Italian after an apostrophe', 'italia', ['citta']],
  ['Cyrillic', 'Пифагора', ['pifagor']],
  ['Cyrillic capitals', 'ТЕОРЕМА', ['pifagor']],
  ['a prefix of a Cyrillic word', 'пифаг', ['pifagor']],
  ['Cyrillic with a typo', 'теарема', ['pifagor']],
  ['Cyrillic in a body', 'катетов', ['pifagor']],
  ['ё as е', 'елка', ['elka']],
  ['an unknown word', 'zzyzx', []],
  ['only punctuation', '?! … "" -- \\ % _ * | & ( ) < > : `', []],
  ['nothing', '   ', []],
  ['operators as words', 'photosynthesis:* & !light | (sugar)', ['photo']],
  ['filter syntax as words', 'photosynthesis && space_id:=x`', ['photo', 'sky']],
  ['exclusion syntax as a word', '-photosynthesis', ['photo', 'sky']],
];

export type FilterCase = readonly [
  string,
  (library: Library) => Partial<QuestionSearch>,
  readonly QuestionName[],
];

/** Filters for the query "fibonacci". */
export const FILTERS: readonly FilterCase[] = [
  ['space only', () => ({}), ['mine', 'solved']],
  ['solved', () => ({ isSolved: true }), ['solved']],
  ['unsolved', () => ({ isSolved: false }), ['mine']],
  ['author', ({ bob }) => ({ authorId: bob }), ['mine']],
  ['saved', ({ ada }) => ({ savedBy: ada }), ['mine']],
  ['saved by a student without saved questions', ({ bob }) => ({ savedBy: bob }), []],
  ['subject', ({ mathematics }) => ({ subjectId: mathematics }), ['mine', 'solved']],
  ['another subject', ({ biology }) => ({ subjectId: biology }), []],
  ['topic', ({ calculus }) => ({ topicId: calculus.topicId }), ['mine']],
  ['date, newest first', () => ({ sort: 'NEWEST' }), ['mine', 'solved']],
  ['answer count, highest first', () => ({ sort: 'MOST_ANSWERED' }), ['solved', 'mine']],
  ['a page of one hit', () => ({ sort: 'NEWEST', limit: 1 }), ['mine']],
  ['the next page', () => ({ sort: 'NEWEST', skip: 1, limit: 1 }), ['solved']],
];

export type AnswerCase = readonly [
  string,
  string,
  (library: Library) => Partial<PostSearch>,
  readonly AnswerName[],
];

export const ANSWERS: readonly AnswerCase[] = [
  ['a word', 'derivative', () => ({}), ['outer']],
  ['a typo', 'derivatve', () => ({}), ['outer']],
  ['a prefix', 'discrim', () => ({}), ['discriminant', 'purr']],
  ['Cyrillic', 'гипотенузу', () => ({}), ['gips']],
  ['a subject', 'discriminant', ({ mathematics }) => ({ subjectId: mathematics }), ['discriminant', 'purr']],
  ['another subject', 'discriminant', ({ biology }) => ({ subjectId: biology }), []],
  ['not words of the question', 'chain', () => ({}), []],
];
