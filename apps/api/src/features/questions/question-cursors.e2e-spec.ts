import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedApp, type TestApp } from '../../../../../test/app.js';
import type { Community } from '../../../../../test/community.js';
import { newParticipants, type Participant } from '../../../../../test/participant.js';

interface QuestionPage {
  readonly docs: readonly { readonly _id: string }[];
  readonly endCursor: string | null;
}

let app: TestApp;
let community: Community;
let ada: Participant;
let bob: Participant;
beforeAll(async () => {
  app = await sharedApp();
  const { people, community: created } = await newParticipants(app, 2);
  [ada, bob] = people;
  community = created;
});

const LISTS = {
  newest: (after: string) =>
    `getPaginatedQuestions(queryVals: { space: "${community.spaceId}" }, paginateOptions: { limit: 3 }, after: ${after})`,
  'most answered': (after: string) =>
    `getPaginatedQuestions(queryVals: { space: "${community.spaceId}" }, paginateOptions: { limit: 3, sort: 2 }, after: ${after})`,
  saved: (after: string) =>
    `getPaginatedSavedQuestions(space: "${community.spaceId}", limit: 3, after: ${after})`,
  unsolved: (after: string) =>
    `getUnsolvedQuestions(spaceId: "${community.spaceId}", limit: 3, after: ${after})`,
  'unsolved of some subjects': (after: string) =>
    `getUnsolvedQuestions(spaceId: "${community.spaceId}", limit: 3, after: ${after},
      subjectIds: ["${community.subjectId}", "00000000-0000-4000-8000-000000000000"])`,
} as const;
type ListName = keyof typeof LISTS;
const NAMES = Object.keys(LISTS) as ListName[];

const read = (list: ListName, after: string | null = null) =>
  bob.query<QuestionPage>(`${LISTS[list](JSON.stringify(after))} { docs { _id } endCursor }`);

/** Reads a list to its end. @param between called after the first page with its IDs */
async function readAll(
  list: ListName,
  between?: (ids: readonly string[]) => Promise<unknown>,
): Promise<string[]> {
  const seen: string[] = [];
  for (let after: string | null | undefined; after !== null;) {
    const page: QuestionPage = await read(list, after ?? null);
    const ids = page.docs.map(({ _id }) => _id);
    if (after === undefined) await between?.(ids);
    seen.push(...ids);
    after = page.endCursor;
  }
  return seen;
}

/** Asks questions, all saved by Bob and some answered, so that the sort orders differ. */
async function askMany(count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const id = await ada.ask({ title: `Question ${index}` });
    await bob.perform(`saveQuestion(questionId: "${id}") { _id }`);
    if (index % 3 === 0) await bob.answer(id);
  }
}

describe('cursor pagination of questions', () => {
  it.each(NAMES)('%s: skips and repeats nothing while earlier rows are deleted', async (list) => {
    await askMany(8);
    const before = await readAll(list);
    expect(new Set(before).size).toBe(before.length);
    expect(before.length).toBeGreaterThanOrEqual(8);
    const seen = await readAll(list, async (ids) => {
      for (const id of ids.slice(0, 2)) await ada.perform(`deleteQuestionById(id: "${id}") { _id }`);
      await app.caughtUp();
    });
    expect(seen).toEqual(before);
    expect(await readAll(list)).toEqual(before.slice(2));
  });

  it('newest: repeats nothing while others ask', async () => {
    await askMany(5);
    const before = await readAll('newest');
    expect(await readAll('newest', () => ada.ask())).toEqual(before);
  });

  it.each(NAMES)('%s: refuses an invalid cursor', async (list) => {
    const other = list === 'most answered' ? 'newest' : 'most answered';
    await askMany(4);
    const { endCursor } = await read(other);
    expect(endCursor).toEqual(expect.any(String));
    for (const after of ['', 'x', 'MTow', 'x'.repeat(5_000), endCursor]) {
      const query = `{ ${LISTS[list](JSON.stringify(after))} { endCursor } }`;
      const { errors } = await app.graphql(query, {}, bob.student.token);
      expect(errors?.[0]?.extensions).toMatchObject({
        code: 'VALIDATION_FAILED',
        field: 'after',
        rule: 'CURSOR_MALFORMED',
      });
    }
  });
});
