import { MAX_BODY_BYTES } from '@nimo/domain';
import pg from 'pg';
import type { BenchContext } from '../bench-context.js';
import { communityDatabase } from './community-database.js';
import { Random } from './random.js';
import { body } from './texts.js';

const SUFFIX = '_long_answers';
const TEXTS = 16;

/**
 * Runs `work` on a copy of the community in which some questions have answers of the maximum size. Changes only the read model, not the log.
 */
export async function withLongAnswers<T>(
  context: BenchContext,
  questionIds: readonly string[],
  work: (database: string) => Promise<T>,
): Promise<T> {
  const { server } = context;
  const original = await communityDatabase(context);
  const name = `${original}${SUFFIX}`;
  await server.copy(original, name);
  try {
    await lengthen(server.url(name), questionIds);
    return await work(name);
  } finally {
    await server.drop(name);
  }
}

async function lengthen(connectionString: string, questionIds: readonly string[]): Promise<void> {
  const random = new Random(20_261_123);
  const texts = Array.from({ length: TEXTS }, () => longBody(random));
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query(
      `update read.answers
       set body = ($2::text[])[1 + abs(hashtext(answer_id)) % ${TEXTS}]
       where question_id = any($1)`,
      [questionIds, texts],
    );
  } finally {
    await client.end();
  }
}

function longBody(random: Random): string {
  let text = '';
  for (let more = body(random); text.length + more.length <= MAX_BODY_BYTES; more = body(random))
    text += more;
  return text;
}
