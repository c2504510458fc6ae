import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import sanitizeHtml from 'sanitize-html';
import { bootApp, type TestApp } from '../../../../../test/app.js';
import { newCommunity, type Community } from '../../../../../test/community.js';
import { Participant } from '../../../../../test/participant.js';

const BODY = `<p>${'One <b>two</b> <a href="https://example.org/">three</a> &amp; four. '.repeat(60)}</p>`;

/** Sanitiser runs of the API and the worker, both in this process: each run reads the defaults once. */
let runs = 0;
const { defaults } = sanitizeHtml;

let app: TestApp;
let community: Community;
let ada: Participant;
let moderator: Participant;
let webFolder: string;
beforeAll(async () => {
  Object.defineProperty(sanitizeHtml, 'defaults', {
    configurable: true,
    get: () => {
      runs += 1;
      return defaults;
    },
  });
  webFolder = await mkdtemp(join(tmpdir(), 'nimo-web-'));
  await writeFile(join(webFolder, 'index.html'), '<title>Nimo</title><div id="root"></div>');
  app = await bootApp({}, { webFolder });
  community = await newCommunity(app, 2);
  const [first, second] = community.members;
  if (!first || !second) throw new Error('no members');
  await app.grantRole(second.studentId, 'MODERATOR');
  ada = new Participant(app, first, community);
  moderator = new Participant(app, second, community);
});
afterAll(async () => {
  Object.defineProperty(sanitizeHtml, 'defaults', { value: defaults, writable: true });
  await app.close();
  await rm(webFolder, { recursive: true });
});

describe('stored HTML', () => {
  let questionId: string;
  beforeAll(async () => {
    questionId = await ada.ask({ body: BODY });
    await ada.answer(questionId, BODY);
    await ada.answer(questionId, BODY);
    await moderator.perform(
      `publishNewspost(title: "News", body: ${JSON.stringify(BODY)}, space: "${community.spaceId}") { _id }`,
    );
    // The worker also sanitises in this process.
    await app.caughtUp();
  });

  it('is sanitised when written', () => expect(runs).toBeGreaterThan(0));

  it.each<[string, () => Promise<unknown>]>([
    ['a question', () => ada.query(`getQuestionById(questionId: "${questionId}") { body excerpt }`)],
    [
      'questions',
      () =>
        ada.query(`getPaginatedQuestions(queryVals: { space: "${community.spaceId}" }) { docs { body } }`),
    ],
    ['answers', () => ada.query(`getPaginatedAnswers(questions: ["${questionId}"]) { docs { body } }`)],
    ['news', () => ada.query(`getPaginatedNewsposts(space: "${community.spaceId}") { docs { body } }`)],
    [
      'activities, which truncate it',
      () =>
        ada.query(
          `getPaginatedStudentActivities(space: "${community.spaceId}") { docs { data { ... on ActivityQuestion { body } ... on ActivityAnswer { body } } } }`,
        ),
    ],
    [
      'the page at an earlier time',
      () =>
        moderator.query(
          `getQuestionAsOf(questionId: "${questionId}", asOf: { at: "${new Date().toISOString()}" }) { question { body } answers { body } }`,
        ),
    ],
    [
      'the public page',
      async () => (await app.http().get(`/question/${questionId}`).set('accept', 'text/html')).text,
    ],
  ])('is not sanitised again when read in %s', async (_name, read) => {
    const before = runs;
    for (let reading = 0; reading < 5; reading += 1)
      expect(JSON.stringify(await read())).toContain('<b>two</b>');
    expect(runs).toBe(before);
  });
});
