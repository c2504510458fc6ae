import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Library } from '../testing/library.fixture.js';
import { openReadSide, type ReadSide } from '@nimo/projections/testing';
import { MARK_END, MARK_START, postsAlias } from './typesense-client.js';
import { openTypesense } from './testing/typesense.fixture.js';
import { TypesenseDouble } from './testing/typesense-double.js';

const PAGE = { skip: 0, limit: 10, sort: 'BEST' } as const;

describe('Typesense adapter', () => {
  let side: ReadSide;
  let double: TypesenseDouble;
  let opened: Awaited<ReturnType<typeof openTypesense>>;
  const library = new Library();
  const { spaceId } = library;

  beforeAll(async () => {
    side = await openReadSide();
    double = await TypesenseDouble.start();
    opened = await openTypesense(side.pool, double);
    await side.record(library.past);
    await opened.settled();
  });
  beforeEach(() => void double.searches.splice(0));
  afterAll(async () => {
    await opened.close();
    await double.down();
    await side.close();
  });

  const lastSearch = () => double.searches.at(-1);

  it('requests fuzziness AUTO, boosts and prefixes in title, tags and body', async () => {
    await opened.engine.findQuestions({ ...PAGE, text: 'Éléments', spaceId });
    expect(lastSearch()).toMatchObject({
      collection: postsAlias(opened.prefix),
      q: 'elements',
      sort_by:
        '_eval(title_words:[_e_ldle_ldments] || tag_words:[_e_ldle_ldments] || body_words:[_e_ldle_ldments]):desc,_text_match:desc,created_at:desc',
      query_by: 'title_words,tag_words,body_words',
      query_by_weights: '2,1,1',
      num_typos: 2,
      min_len_1typo: 3,
      min_len_2typo: 6,
      prefix: true,
      filter_by: `space_id:=\`${spaceId}\` && kind:=\`QUESTION\``,
      offset: 0,
      limit: 10,
    });
  });

  it('requests no typos in short words, regardless of their bytes, and all character pairs', async () => {
    await opened.engine.findQuestions({ ...PAGE, text: 'दान 光合作用', spaceId });
    expect(lastSearch()).toMatchObject({
      q: 'दान 光合 合作 作用',
      num_typos: 0,
      sort_by: '_text_match:desc,created_at:desc',
    });
    await opened.engine.findQuestions({ ...PAGE, text: 'été 光合', spaceId, sort: 'NEWEST' });
    expect(lastSearch()).toMatchObject({ q: 'ete 光合', num_typos: 1, sort_by: 'created_at:desc' });
  });

  it('sends words only, without query syntax', async () => {
    await opened.engine.findQuestions({ ...PAGE, text: '-a "b c" * `d` && space_id:=x', spaceId });
    expect(lastSearch()?.q).toBe('a b c d space id x');
  });

  it('sends nothing for a text without words or an invalid id', async () => {
    const other = `x\` || space_id:=\`${spaceId}`;
    expect(await opened.engine.findQuestions({ ...PAGE, text: '* - "', spaceId })).toEqual([]);
    expect(await opened.engine.findQuestions({ ...PAGE, text: 'chain', spaceId: other })).toEqual([]);
    expect(await opened.engine.findQuestions({ ...PAGE, text: 'chain', spaceId, topicId: other })).toEqual(
      [],
    );
    expect(await opened.engine.findAnswers({ ...PAGE, text: 'derivative', spaceId: other })).toEqual([]);
    expect(await opened.engine.findTopics({ ...PAGE, text: 'algebra', spaceId, subjectId: other })).toEqual(
      [],
    );
    expect(await opened.engine.findPeople({ ...PAGE, text: 'ada', spaceId: other })).toEqual([]);
    expect(double.searches).toEqual([]);
  });

  it('sends twelve words of a huge text, by POST', async () => {
    const text = Array.from({ length: 50_000 }, (_, index) => `слово${index}`).join(' ');
    await opened.engine.findQuestions({ ...PAGE, text, spaceId, savedBy: library.ada });
    expect(lastSearch()?.q?.split(' ')).toHaveLength(12);
  });

  it('requests at most 250 hits per search', async () => {
    await opened.engine.findPeople({ text: 'ada', spaceId, skip: 5, limit: 600 });
    expect(double.searches.map(({ offset, limit }) => [offset, limit])).toEqual([
      [5, 250],
      [255, 250],
      [505, 100],
    ]);
  });

  it('treats highlight tags in a text as plain text', async () => {
    const title = `<mark>Tetrahedron</mark> ${MARK_START}net${MARK_END}`;
    const id = library.past.ask(library.ada, library.algebra, { title });
    await side.record(library.past);
    await opened.settled();
    const [hit] = await opened.engine.findQuestions({ ...PAGE, text: 'tetrahedron', spaceId });
    expect(hit?.id).toBe(id);
    expect(hit?.title).toEqual([
      { text: '<mark>', isMatch: false },
      { text: 'Tetrahedron', isMatch: true },
      { text: `</mark> ${MARK_START}net${MARK_END}`, isMatch: false },
    ]);
  });

  it.each(['hangs', 'fails'] as const)(
    'fails while the server %s, and recovers once it is back',
    async (fault) => {
      double.injectFault(fault);
      await expect(opened.engine.findQuestions({ ...PAGE, text: 'chain', spaceId })).rejects.toThrow();
      await double.up();
      expect(await opened.engine.findQuestions({ ...PAGE, text: 'chain', spaceId })).not.toEqual([]);
    },
  );

  it('fails without a collection, with a wrong key and without a server', async () => {
    const failing = async (server: { url: string; apiKey: string }) => {
      const { engine, shipper } = await openTypesense(side.pool, server);
      await expect(engine.findQuestions({ ...PAGE, text: 'chain', spaceId })).rejects.toThrow();
      await shipper.stop();
    };
    await failing(double);
    await failing({ url: double.url, apiKey: 'wrong' });
    await double.down();
    await failing(double);
    await double.up();
  });
});
