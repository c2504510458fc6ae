import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedApp, type TestApp } from '../../../../../test/app.js';
import { newCommunity, type Community } from '../../../../../test/community.js';
import { Participant } from '../../../../../test/participant.js';
import { propertiesSeed } from '@nimo/testing';
import { bodyOf, sampleTexts } from '../../../../../test/schema/sample-texts.js';

const seed = propertiesSeed();
const BODIES = 8;
const TEXTS_PER_BODY = 10;
const texts = sampleTexts(seed, BODIES * TEXTS_PER_BODY);
const bodies = Array.from({ length: BODIES }, (_, at) =>
  texts
    .slice(at * TEXTS_PER_BODY, (at + 1) * TEXTS_PER_BODY)
    .map(bodyOf)
    .join(''),
);

let app: TestApp;
let community: Community;
let ada: Participant;
beforeAll(async () => {
  app = await sharedApp();
  community = await newCommunity(app, 1);
  const [first] = community.members;
  if (!first) throw new Error('no members');
  ada = new Participant(app, first, community);
});

describe('answer bodies with math, code, shell commands and prose in ten scripts', () => {
  it('are returned as they were sent', async () => {
    const questionId = await ada.ask();
    for (const body of bodies) await ada.answer(questionId, body);
    const { docs } = await ada.query<{ docs: { body: string }[] }>(
      `getPaginatedAnswers(questions: ["${questionId}"], paginateOptions: { page: 1, limit: ${BODIES} }) { docs { body } }`,
    );
    const read = new Set(docs.map(({ body }) => body));
    expect({ seed, changed: bodies.filter((body) => !read.has(body)) }).toEqual({ seed, changed: [] });
  });
});
