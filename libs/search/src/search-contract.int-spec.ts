import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openReadSide, type ReadSide } from '@nimo/projections/testing';
import { EmbeddedSearch } from './embedded/embedded-search.js';
import { ThreadedSearch } from './embedded/threaded-search.js';
import { openTypesense } from './typesense/testing/typesense.fixture.js';
import { TypesenseDouble } from './typesense/testing/typesense-double.js';
import type { PostHit, SearchEngine, TextPart } from './search-engine.js';
import { Library } from './testing/library.fixture.js';
import { EXACT_FIRST, SCRIPTS } from './testing/script-cases.js';
import { ANSWERS, FILTERS, FIRST_HITS } from './testing/search-cases.js';

interface Opened {
  readonly engine: SearchEngine;
  /** Resolves once the engine has caught up with the read side. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

const ENGINES: Readonly<Record<string, (side: ReadSide) => Promise<Opened>>> = {
  embedded: async ({ pool }) => ({
    engine: new EmbeddedSearch(pool),
    settled: async () => undefined,
    close: async () => undefined,
  }),
  'embedded, in its thread': async ({ url }) => {
    const lost: unknown[] = [];
    const onLost = (error: unknown) => void lost.push(error);
    const engine = new ThreadedSearch({ url, name: 'nimo test search', onLost });
    return {
      engine,
      settled: async () => undefined,
      close: async () => {
        await engine.close();
        expect(lost).toEqual([]);
      },
    };
  },
  // Covers the adapter: requests, filters, highlights, paging, shipping. The double does not reproduce Typesense's ranking.
  'typesense adapter over the double': async ({ pool }) => {
    const double = await TypesenseDouble.start();
    const opened = await openTypesense(pool, double);
    return {
      ...opened,
      close: async () => {
        await opened.close();
        await double.down();
      },
    };
  },
  ...realTypesense(),
};

/** Also runs against a real server, if one is configured. */
function realTypesense(): typeof ENGINES {
  const { TYPESENSE_URL: url, TYPESENSE_API_KEY: apiKey = '' } = process.env;
  if (url !== undefined && url !== '')
    return { typesense: ({ pool }) => openTypesense(pool, { url, apiKey }) };
  process.stderr.write(
    '\nNO REAL TYPESENSE: TYPESENSE_URL is not set, so the search contract runs against the double, which has its own ranking.\n\n',
  );
  return {};
}

const sortedIf = (isOrdered: boolean, names: readonly (string | undefined)[]) =>
  isOrdered ? [...names] : [...names].sort();

const marked = (parts: readonly TextPart[] = []): string =>
  parts.map(({ text, isMatch }) => (isMatch ? `[${text}]` : text)).join('');

describe.each(Object.keys(ENGINES))('search engine %s', (name) => {
  let side: ReadSide;
  let opened: Opened;
  let library: Library;
  const page = { skip: 0, limit: 10, sort: 'BEST' } as const;

  beforeAll(async () => {
    side = await openReadSide();
    library = new Library();
    await side.record(library.past);
    const open = ENGINES[name];
    if (!open) throw new Error(`no engine ${name}`);
    opened = await open(side);
    await opened.settled();
  });
  afterAll(async () => {
    await opened.close();
    await side.close();
  });

  const questions = (text: string, more = {}): Promise<readonly PostHit[]> =>
    opened.engine.findQuestions({ ...page, text, spaceId: library.spaceId, ...more });
  const answers = (text: string, more = {}): Promise<readonly PostHit[]> =>
    opened.engine.findAnswers({ ...page, text, spaceId: library.spaceId, ...more });
  const namesIn = (ids: ReadonlyMap<string, string>, hits: readonly PostHit[]) =>
    hits.map(({ id }) => [...ids].find(([, known]) => known === id)?.[0]);

  describe('finds questions first by', () => {
    it.each(FIRST_HITS)('%s: %s', async (_, text, first) => {
      const hits = namesIn(library.questions, await questions(text));
      expect(sortedIf(false, first.length === 0 ? hits : hits.slice(0, first.length))).toEqual(
        sortedIf(false, first),
      );
    });
  });

  describe('filters questions by', () => {
    it.each(FILTERS)('%s', async (_, filter, expected) => {
      const options = filter(library);
      const hits = namesIn(library.questions, await questions('fibonacci', options));
      const isOrdered = options.sort !== undefined;
      expect(sortedIf(isOrdered, hits)).toEqual(sortedIf(isOrdered, expected));
    });
  });

  describe('finds answers by', () => {
    it.each(ANSWERS)('%s: %s', async (_, text, filter, expected) => {
      const hits = namesIn(library.answers, await answers(text, filter(library)));
      expect(sortedIf(false, hits)).toEqual(sortedIf(false, expected));
    });
  });

  describe('marks', () => {
    it.each([
      ['an exact word', 'photosynthesis', 'What is [photosynthesis]?'],
      ['a word with typos', 'photosintesis', 'What is [photosynthesis]?'],
      ['a prefix', 'photosyn', 'What is [photosynthesis]?'],
      ['omitted accents', 'ecuacion recta', '[Ecuación] de la [recta]'],
      ['Cyrillic', 'пифаг', 'Теорема [Пифагора]'],
      ['nothing without a match', 'sugar', 'What is photosynthesis?'],
    ])('%s in the title', async (_, text, expected) => {
      expect(marked((await questions(text))[0]?.title)).toBe(expected);
    });

    it('the excerpt, and the question title of an answer', async () => {
      expect(marked((await questions('sugar'))[0]?.excerpt)).toBe('Plants turn light into [sugar].');
      const [hit] = await answers('derivatve');
      expect(marked(hit?.excerpt)).toBe('Multiply the outer [derivative] by the inner [derivative].');
      expect(marked(hit?.title)).toBe('How does the chain rule work?');
    });
  });

  it('finds topics by name, prefix and with a typo, in a space and a subject', async () => {
    const { spaceId, algebra, botany, biology } = library;
    const topics = (text: string, more = {}) =>
      opened.engine.findTopics({ text, spaceId, skip: 0, limit: 10, ...more });
    expect(await topics('algebra')).toEqual([algebra.topicId]);
    expect(await topics('Alg')).toEqual([algebra.topicId]);
    expect(await topics('algbera')).toEqual([algebra.topicId]);
    expect(await topics('botanik', { subjectId: biology })).toEqual([botany.topicId]);
    expect(await topics('algebra', { subjectId: biology })).toEqual([]);
    expect(await topics('fibonacci')).toEqual([]);
  });

  it('finds members by user name and real name, without accents and with a typo', async () => {
    const { spaceId, ada, bob } = library;
    const people = (text: string) => opened.engine.findPeople({ text, spaceId, skip: 0, limit: 1000 });
    expect(await people('ada_l')).toEqual([ada]);
    expect(await people('lovelace')).toEqual([ada]);
    expect(await people('lovlace')).toEqual([ada]);
    expect(await people('Emilie')).toEqual([bob]);
    expect(await people('noehter')).toEqual([bob]);
    expect(await people('fibonacci')).toEqual([]);
  });

  it.each([
    ['a one-megabyte word', 'x'.repeat(1_000_000)],
    ['a word repeated thousands of times', 'photosynthesis '.repeat(5_000)],
    ['thousands of different words', Array.from({ length: 5_000 }, (_, index) => `word${index}`).join(' ')],
    ['thousands of quotes', '"'.repeat(10_000)],
    ['thousands of combining marks on one letter', `a${'\u0301'.repeat(10_000)}`],
  ])('handles %s', async (_, text) => {
    expect(await questions(text)).toEqual(expect.any(Array));
  });

  describe('finds and marks', () => {
    const unmarked = (title: string) => title.replace(/[[\]]/g, '');
    const titlesOf = async (text: string, spaceId: string) =>
      (await questions(text, { spaceId })).map(({ title }) => marked(title));
    let scripts: string;
    const orders = new Map<string, string>();

    function newSpace(titles: Iterable<string>): string {
      const { past, ada } = library;
      const spaceId = past.newSpace();
      const topic = past.newTopic(spaceId, past.newSubject(spaceId));
      // Relevance order is oldest first, so sorting by time would fail.
      for (const title of titles) past.ask(ada, topic, { title, body: '<p>?</p>' });
      return spaceId;
    }

    beforeAll(async () => {
      scripts = newSpace(new Set(SCRIPTS.map(([, , title]) => unmarked(title))));
      for (const [name, , found, others] of EXACT_FIRST)
        orders.set(name, newSpace([...found, ...others].map(unmarked)));
      await side.record(library.past);
      await opened.settled();
    });

    it.each(SCRIPTS)('%s: %s', async (_, text, expected) => {
      expect((await titlesOf(text, scripts))[0]).toBe(expected);
    });

    it.each(EXACT_FIRST)('the exact word before others: %s', async (name, text, expected) => {
      const titles = await titlesOf(text, orders.get(name) ?? '');
      expect(titles[0]).toBe(expected[0]);
      expect([...titles].sort()).toEqual([...expected].sort());
    });

    it('words in table cells and blocks', async () => {
      const { past, ada, algebra } = library;
      const body =
        '<table><tbody><tr><td>hydrogen</td><td>helium</td></tr></tbody></table><div>lithium</div><div>1947. beryllium</div>';
      const question = past.ask(ada, algebra, { title: 'Light elements', body });
      await side.record(past);
      await opened.settled();
      for (const word of ['hydrogen', 'helium', 'lithium', '1947'])
        expect((await questions(word)).map(({ id }) => id)).toEqual([question]);
    });

    it('a phrase in a text without spaces', async () => {
      expect(await titlesOf('"作用的过程"', scripts)).toEqual(['光合[作用的过程]是什么']);
      expect(await titlesOf('"过程作用"', scripts)).toEqual([]);
    });

    it('people and topics by part of their names', async () => {
      const { past, spaceId, biology } = library;
      const student = past.newStudent({ userName: 'wang', firstName: '小明', lastName: '王' });
      past.join(student, spaceId);
      const topics = ['C', 'C++', 'C#', '光合作用'].map(
        (name) => past.newTopic(spaceId, biology, name).topicId,
      );
      await side.record(past);
      await opened.settled();
      const found = (text: string) => opened.engine.findTopics({ text, spaceId, skip: 0, limit: 1 });
      expect(await opened.engine.findPeople({ text: '明', spaceId, skip: 0, limit: 5 })).toEqual([student]);
      expect([await found('c'), await found('c++'), await found('C#'), await found('作用')].flat()).toEqual(
        topics,
      );
    });
  });

  describe('reflects', () => {
    it('edits, deletions, acceptance, renamed topics, and members who leave or are erased', async () => {
      const { past, spaceId } = library;
      const question = past.ask(library.ada, library.algebra, { title: 'Quaternions' });
      const answer = past.answer(library.bob, question, '<p>Octonions</p>');
      const topic = past.newTopic(spaceId, library.biology, 'Zoology');
      const eve = past.newStudent({ userName: 'evelyn_boole' });
      past.join(eve, spaceId);
      await side.record(past);
      await opened.settled();
      const ids = async (hits: Promise<readonly PostHit[]>) => (await hits).map(({ id }) => id);
      const people = () => opened.engine.findPeople({ text: 'evelyn', spaceId, skip: 0, limit: 5 });
      const topics = (text: string) => opened.engine.findTopics({ text, spaceId, skip: 0, limit: 5 });
      expect(await ids(questions('quaternions', { isSolved: false }))).toEqual([question]);
      expect(await people()).toEqual([eve]);

      past.editQuestion(question, 'Sedenions');
      past.editAnswer(answer, '<p>Trigintaduonions</p>');
      past.accept(answer);
      past.renameTopic(topic, 'Ichthyology');
      past.leave(eve, spaceId);
      await side.record(past);
      await opened.settled();
      expect(await ids(questions('quaternions'))).toEqual([]);
      expect(await ids(questions('sedenions', { isSolved: true }))).toEqual([question]);
      expect(await ids(answers('octonions'))).toEqual([]);
      expect(await ids(answers('trigintaduonions'))).toEqual([answer]);
      expect(await topics('zoology')).toEqual([]);
      expect(await topics('ichthyology')).toEqual([topic.topicId]);
      expect(await people()).toEqual([]);

      past.deleteQuestion(question);
      past.join(eve, spaceId);
      past.erase(eve);
      await side.record(past);
      await opened.settled();
      expect(await ids(questions('sedenions'))).toEqual([]);
      expect(await ids(answers('trigintaduonions'))).toEqual([]);
      expect(await people()).toEqual([]);
    });
  });
});
