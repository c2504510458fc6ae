import { randomUUID } from 'node:crypto';
import { membershipStream, questionStream, spaceStream, studentStream, topicStream } from '@nimo/domain';
import type { Append } from '@nimo/event-store';
import type { Pool } from 'pg';
import { closeRuntime } from '../../apps/api/src/platform/runtime/runtime.js';
import type { BenchContext } from '../bench-context.js';
import { openBenchRuntime, project } from '../community/community-database.js';
import { pastAppend } from '../community/past-append.js';
import { SearchCorpus, type Text } from './search-corpus.js';

/** Increase when the texts or their tables change, to discard the cached database. */
const DATASET_VERSION = 3;
const APPENDS_PER_BATCH = 1_000;
const FROM = Date.parse('2022-01-01T08:00:00.000Z');
const MINUTE_MS = 60_000;
/** Students who ask the questions and search. */
const STUDENTS = 64;

export interface SearchDatabase {
  readonly name: string;
  readonly corpus: SearchCorpus;
  /** In the order of the questions. */
  readonly texts: readonly Text[];
}

/** A database with one space of questions with natural word frequencies. Cached for later runs. */
export async function searchDatabase(context: BenchContext): Promise<SearchDatabase> {
  const { server, questions, log } = context;
  const corpus = new SearchCorpus();
  const texts = corpus.texts(questions);
  const name = `bench_search_${questions}_v${DATASET_VERSION}`;
  if (await server.hasDatabase(name)) return { name, corpus, texts };
  log(`creating ${questions} questions to search, cached for later runs`);
  const unfinished = `${name}_unfinished`;
  await server.createMigrated(unfinished);
  await fill(context, unfinished, texts);
  await server.rename(unfinished, name);
  return { name, corpus, texts };
}

async function fill(context: BenchContext, database: string, texts: readonly Text[]): Promise<void> {
  const runtime = await openBenchRuntime(context, database);
  try {
    const library = new SearchLibrary();
    await runtime.store.append(library.founding());
    for (let start = 0; start < texts.length; start += APPENDS_PER_BATCH) {
      await runtime.store.append(
        texts.slice(start, start + APPENDS_PER_BATCH).map((text) => library.question(text)),
      );
    }
    await project(runtime);
    await fillFullText(runtime.pool);
    await runtime.pool.query('vacuum analyze');
  } finally {
    await closeRuntime(runtime);
  }
}

/** PostgreSQL full-text search over the same words: titles weigh more, no stemming. */
async function fillFullText(pool: Pool): Promise<void> {
  await pool.query(`
    create table public.bare_search as
      select document_id as question_id, space_id,
        setweight(to_tsvector('simple', title), 'A') || to_tsvector('simple', body) as words
      from read.search_documents where kind = 'QUESTION';
    create index on public.bare_search using gin (words);`);
}

/** A space with a subject, a topic, and students who take turns asking. */
class SearchLibrary {
  private readonly spaceId = randomUUID();
  private readonly subjectId = randomUUID();
  private readonly topicId = randomUUID();
  private readonly students = Array.from({ length: STUDENTS }, () => randomUUID());
  private count = 0;

  founding(): Append[] {
    const { spaceId, subjectId, topicId } = this;
    const looks = {
      bannerImageUrl: null,
      color: '3b5bdb',
      hiddenFromSearchEngines: true,
      entry: 'OPEN' as const,
      publicPages: false,
      consentAge: null,
    };
    const topic = { topicId, subjectId, topicName: 'Shelf', slug: 'shelf', spaceId };
    return [
      pastAppend(this.next(), spaceStream(spaceId), spaceId, [
        {
          type: 'SpaceCreated',
          data: { spaceId, name: 'Library', description: '', scope: 'world', ...looks },
        },
        {
          type: 'SubjectAdded',
          data: { spaceId, subjectId, subjectName: 'Books', color: '0ca678' },
        },
      ]),
      pastAppend(this.next(), topicStream(subjectId, 'shelf'), spaceId, [
        { type: 'TopicCreated', data: { ...topic, topicType: 'PRIMARY', imageS3Url: null } },
      ]),
      ...this.students.flatMap((studentId, place) => this.newStudent(studentId, place)),
    ];
  }

  question({ title, body }: Text): Append {
    const { spaceId, subjectId, topicId, students } = this;
    const questionId = randomUUID();
    const authorId = students[this.count % students.length] ?? '';
    const texts = { title: title.join(' '), body: `<p>${body.join(' ')}</p>`, imageUrls: [], tags: [] };
    return pastAppend(this.next(), questionStream(questionId), authorId, [
      { type: 'QuestionAsked', data: { questionId, spaceId, subjectId, topicId, authorId, ...texts } },
    ]);
  }

  private newStudent(studentId: string, place: number): Append[] {
    const { spaceId } = this;
    const names = { userName: `reader_${place}`, firstName: 'Reader', lastName: String(place) };
    const profile = { ...names, profileDesc: '', realProfilePicUrl: '/avatars/animals/1.svg' };
    return [
      pastAppend(this.next(), studentStream(studentId), studentId, [
        {
          type: 'StudentSignedUp',
          data: { studentId, phone: `91${7_000_000_000 + place}`, email: null, registrationType: 'SELF' },
        },
        { type: 'StudentPhoneVerified', data: { studentId } },
        { type: 'StudentRegistered', data: { studentId, ...profile } },
      ]),
      pastAppend(this.next(), membershipStream(spaceId, studentId), studentId, [
        { type: 'SpaceJoined', data: { spaceId, studentId } },
      ]),
    ];
  }

  private next(): number {
    this.count += 1;
    return FROM + this.count * MINUTE_MS;
  }
}
