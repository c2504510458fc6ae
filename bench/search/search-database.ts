import { randomUUID } from 'node:crypto';
import { type DomainEvent, questionStream, spaceStream } from '@nimo/domain';
import type { Append } from '@nimo/event-store';
import { closeRuntime } from '../../apps/api/src/platform/runtime/runtime.js';
import type { BenchContext } from '../bench-context.js';
import { openBenchRuntime, project } from '../community/community-database.js';
import { SearchCorpus, type Text } from './search-corpus.js';

/** Raised when the texts or their tables change. */
const EDITION = 1;
const APPENDS_AT_ONCE = 1_000;
const FROM = Date.parse('2022-01-01T08:00:00.000Z');

export interface SearchDatabase {
  readonly name: string;
  readonly corpus: SearchCorpus;
  /** In the order in which they were asked. */
  readonly texts: readonly Text[];
}

/** One space of questions whose words are as unequally common as in life. Kept for later runs. */
export async function searchDatabase(context: BenchContext): Promise<SearchDatabase> {
  const { server, questions, log } = context;
  const corpus = new SearchCorpus();
  const texts = corpus.texts(questions);
  const name = `bench_search_${questions}_v${EDITION}`;
  if (await server.hasDatabase(name)) return { name, corpus, texts };
  log(`making ${questions} questions to be searched; they are kept for later runs`);
  const unfinished = `${name}_unfinished`;
  await server.createMigrated(unfinished);
  await fill(context, unfinished, texts);
  await server.rename(unfinished, name);
  return { name, corpus, texts };
}

async function fill(context: BenchContext, database: string, texts: readonly Text[]): Promise<void> {
  const runtime = await openBenchRuntime(context, database);
  try {
    const place = {
      spaceId: randomUUID(),
      subjectId: randomUUID(),
      topicId: randomUUID(),
      authorId: randomUUID(),
    };
    const { spaceId } = place;
    await runtime.store.append([
      appendOf(spaceStream(spaceId), 0, { type: 'SpaceCreated', data: spaceData(spaceId) }),
    ]);
    for (let start = 0; start < texts.length; start += APPENDS_AT_ONCE) {
      const appends = texts
        .slice(start, start + APPENDS_AT_ONCE)
        .map((text, index) => asked(text, start + index, place));
      await runtime.store.append(appends);
    }
    await project(runtime);
    await runtime.pool.query('vacuum analyze');
  } finally {
    await closeRuntime(runtime);
  }
}

const spaceData = (spaceId: string) => ({
  spaceId,
  name: 'Library',
  description: '',
  scope: 'world' as const,
  bannerImageUrl: null,
  color: '3b5bdb',
  hiddenFromSearchEngines: true,
});

function asked(
  { title, body }: Text,
  count: number,
  place: {
    readonly spaceId: string;
    readonly subjectId: string;
    readonly topicId: string;
    readonly authorId: string;
  },
): Append {
  const questionId = randomUUID();
  const texts = { title: title.join(' '), body: `<p>${body.join(' ')}</p>`, imageUrls: [], tags: [] };
  return appendOf(questionStream(questionId), count + 1, {
    type: 'QuestionAsked',
    data: { questionId, ...place, ...texts },
  });
}

function appendOf(streamId: string, count: number, { type, data }: DomainEvent): Append {
  const at = new Date(FROM + count * 60_000).toISOString();
  const id = randomUUID();
  const trace = { commandId: id, correlationId: id, causationId: id };
  const metadata = { occurredAt: at, recordedAt: at, actor: { kind: 'system' }, ...trace };
  return { streamId, expectedRevision: 'any', events: [{ id, type, data, metadata }] };
}
