import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Library } from '../testing/library.fixture.js';
import { openReadSide, type ReadSide } from '@nimo/projections/testing';
import { namesAlias, postsAlias } from './typesense-client.js';
import { openTypesense } from './testing/typesense.fixture.js';
import { TypesenseDouble } from './testing/typesense-double.js';
import { eventually } from '@nimo/testing';

describe('shipping to Typesense', () => {
  let side: ReadSide;
  let double: TypesenseDouble;
  let opened: Awaited<ReturnType<typeof openTypesense>>;
  const library = new Library();
  const { past, spaceId } = library;

  beforeAll(async () => {
    side = await openReadSide();
    await side.record(past);
  });
  afterAll(() => side.close());
  beforeEach(async () => {
    double = await TypesenseDouble.start();
    opened = await openTypesense(side.pool, double, { batchSize: 7 });
  });
  afterEach(async () => {
    await double.up();
    await opened.close();
    await double.down();
  });

  const posts = () => double.behind(postsAlias(opened.prefix));
  const find = async (text: string): Promise<string[]> => {
    const search = { text, spaceId, skip: 0, limit: 10, sort: 'BEST' } as const;
    return (await opened.engine.findQuestions(search)).map(({ id }) => id);
  };
  const ask = async (title: string): Promise<string> => {
    const id = past.ask(library.ada, library.algebra, { title });
    await side.record(past);
    return id;
  };

  it('ships findable documents only', async () => {
    const deleted = await ask('Zeppelins');
    const answer = past.answer(library.bob, deleted);
    await side.record(past);
    await opened.settled();
    expect([...posts().documents.keys()]).toEqual(expect.arrayContaining([deleted, answer]));
    past.deleteQuestion(deleted);
    await side.record(past);
    await opened.settled();
    expect(posts().documents.has(deleted)).toBe(false);
    expect(posts().documents.has(answer)).toBe(false);
    const { rows } = await side.pool.query<{ count: number }>(
      `select count(*)::int from read.search_documents d join read.search_documents q on q.document_id = d.question_id
       where not d.is_removed and not q.is_removed`,
    );
    expect(posts().documents.size).toBe(rows[0]?.count);
    expect(double.behind(namesAlias(opened.prefix)).documents.has(library.ada)).toBe(true);
  });

  it('retries the failed documents of an import', async () => {
    await opened.settled();
    const [one, other] = [await ask('Hypercube'), await ask('Hypersphere')];
    posts().refusals.set(one, 2);
    await opened.settled();
    expect(await find('hypercube')).toEqual([one]);
    expect(await find('hypersphere')).toEqual([other]);
    expect(opened.errors).toEqual([]);
  });

  it('reports a document rejected after all retries, ships the others, and repairs it later', async () => {
    await opened.settled();
    const [one, other] = [await ask('Dodecahedron'), await ask('Icosahedron')];
    posts().refusals.set(one, 3);
    await opened.settled();
    expect(opened.errors.map(String)).toEqual([expect.stringContaining(one)]);
    expect(await find('icosahedron')).toEqual([other]);
    expect(await find('dodecahedron')).toEqual([]);
    await reconcileAll();
    expect(await find('dodecahedron')).toEqual([one]);
  });

  /** Reconciles enough ranges for a full cycle. */
  async function reconcileAll(): Promise<number> {
    const ranges = Math.ceil(posts().documents.size / 7) + 2;
    let repaired = 0;
    for (let range = 0; range < ranges; range += 1) repaired += await opened.shipper.reconcile();
    return repaired;
  }

  it('repairs late writes, missing documents and documents without a row', async () => {
    const [late, missing] = [await ask('Manifolds'), await ask('Orbifolds')];
    await opened.settled();
    const before = posts().documents.get(late);
    past.editQuestion(late, 'Varieties');
    await side.record(past);
    await opened.settled();
    const { documents } = posts();
    if (!before) throw new Error('the question was not shipped');
    // A late import by a process presumed dead.
    documents.set(late, before);
    documents.delete(missing);
    documents.set('orphan', { ...before, id: 'orphan' });
    expect(await reconcileAll()).toBeGreaterThanOrEqual(3);
    expect(documents.get(late)).toMatchObject({ title_words: 'varieties' });
    expect(documents.has(missing)).toBe(true);
    expect(documents.has('orphan')).toBe(false);
    expect(await reconcileAll()).toBe(0);
  });

  it('fills a new collection after a projection rebuild and switches the alias to it', async () => {
    await opened.settled();
    const old = double.aliases.get(postsAlias(opened.prefix));
    const { documents } = posts();
    await side.rebuild('search');
    expect(await find('photosynthesis')).toHaveLength(2);
    await opened.settled();
    const current = double.aliases.get(postsAlias(opened.prefix));
    expect(current).not.toBe(old);
    expect([...double.collections.keys()]).not.toContain(old);
    expect([...posts().documents.keys()].sort()).toEqual([...documents.keys()].sort());
    expect(await find('photosynthesis')).toHaveLength(2);
  });

  it('recreates the collections on a server that lost them', async () => {
    await opened.settled();
    double.collections.clear();
    double.aliases.clear();
    await opened.shipper.reconcile();
    await opened.settled();
    expect(await find('photosynthesis')).toHaveLength(2);
  });

  it('resumes once the server is back', async () => {
    await opened.settled();
    await double.down();
    const id = await ask('Klein bottles');
    await expect(opened.shipper.catchUp()).rejects.toThrow();
    await double.up();
    await opened.settled();
    expect(await find('klein')).toEqual([id]);
  });

  it('loses nothing if the server fails during an import', async () => {
    await opened.settled();
    const ids = [await ask('Lemniscate one'), await ask('Lemniscate two')];
    double.injectFault('fails');
    await expect(opened.shipper.catchUp()).rejects.toThrow();
    await double.up();
    await opened.settled();
    expect((await find('lemniscate')).sort()).toEqual(ids.sort());
  });

  it('runs in one process at a time and moves to another when it stops', async () => {
    const { prefix } = opened;
    await opened.settled();
    const next = await openTypesense(side.pool, double, { prefix });
    expect(await next.shipper.catchUp()).toBe(false);
    await opened.shipper.stop();
    const id = await ask('Möbius strips');
    expect(await next.shipper.catchUp()).toBe(true);
    expect(await find('mobius')).toEqual([id]);
    await next.shipper.stop();
  });

  it('runs in the background', async () => {
    opened.shipper.start();
    const id = await ask('Borromean rings');
    await eventually(
      () => find('borromean').catch((): string[] => []),
      (found) => found.includes(id),
    );
    expect(opened.errors).toEqual([]);
  });

  it('recovers automatically after the server was unavailable or lost its data', async () => {
    const { shipper, ...other } = await openTypesense(side.pool, double, { reconcileMs: 10 });
    shipper.start();
    const search = { text: 'tesselated', spaceId, skip: 0, limit: 10, sort: 'BEST' } as const;
    const finds = (id: string) =>
      eventually(
        () => other.engine.findQuestions(search).catch(() => []),
        (found) => found.some((hit) => hit.id === id),
      );
    double.injectFault('fails');
    const id = await ask('Tesselated floors');
    await eventually(
      async () => other.errors.map(String),
      (errors) => errors.some((error) => error.includes('503')),
    );
    await double.up();
    await finds(id);
    double.collections.clear();
    await finds(id);
    await other.close();
  });
});
