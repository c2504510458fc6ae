import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedApp, type TestApp } from '../../../../../test/app.js';
import { newCommunity, type Community } from '../../../../../test/community.js';
import { Participant } from '../../../../../test/participant.js';
import { eventually } from '@nimo/testing';

const CROWD = 12;
const FIELDS = '_id upvoteCount downvoteCount upvotedBy { _id } downvotedBy { _id }';

interface Voted {
  readonly post: { readonly upvoteCount: number; readonly downvoteCount: number };
}

let app: TestApp;
let community: Community;
let people: Participant[];
let ada: Participant;
let bob: Participant;
let questionId: string;
let answerId: string;
beforeAll(async () => {
  app = await sharedApp();
  community = await newCommunity(app, CROWD);
  people = community.members.map((student) => new Participant(app, student, community));
  const [first, second] = people;
  if (!first || !second) throw new Error('the community has no members');
  [ada, bob] = [first, second];
  questionId = await ada.ask();
  answerId = await ada.answer(questionId);
});

const kinds = [
  {
    kind: 'question',
    post: () => questionId,
    vote: (verb: 'up' | 'down', more = '') =>
      `${verb}voteQuestion(questionId: "${questionId}"${more}) { post: question { ${FIELDS} } }`,
  },
  {
    kind: 'answer',
    post: () => answerId,
    vote: (verb: 'up' | 'down', more = '') =>
      `${verb}voteAnswer(answerId: "${answerId}"${more}) { post: answer { ${FIELDS} } }`,
  },
];

describe.each(kinds)('voting on a $kind', ({ post, vote }) => {
  it('toggles, replacing the opposite vote', async () => {
    const me = [{ _id: bob.student.studentId }];
    const afterVote = async (verb: 'up' | 'down'): Promise<unknown> =>
      (await bob.mutate<Voted>(vote(verb))).data.done.post;
    const none = { _id: post(), upvoteCount: 0, downvoteCount: 0, upvotedBy: [], downvotedBy: [] };
    expect(await afterVote('up')).toEqual({ ...none, upvoteCount: 1, upvotedBy: me });
    expect(await afterVote('down')).toEqual({ ...none, downvoteCount: 1, downvotedBy: me });
    expect(await afterVote('up')).toEqual({ ...none, upvoteCount: 1, upvotedBy: me });
    expect(await afterVote('up')).toEqual(none);
    expect(await afterVote('down')).toEqual({ ...none, downvoteCount: 1, downvotedBy: me });
    expect(await afterVote('down')).toEqual(none);
  });

  it('rejects the author, non-members and acting for someone else', async () => {
    expect(await ada.refusal(`mutation { ${vote('up')} }`)).toEqual({
      message: 'You cannot vote on your own post.',
      code: 'FORBIDDEN',
    });
    const eve = new Participant(app, await app.signUp(), community);
    expect(await eve.refusal(`mutation { ${vote('down')} }`)).toEqual({
      message: 'Join the space to take part.',
      code: 'FORBIDDEN',
    });
    const asAda = `, userId: "${ada.student.studentId}"`;
    expect(await bob.refusal(`mutation { ${vote('up', asAda)} }`)).toEqual({
      message: 'You don’t have permission to do this.',
      code: 'FORBIDDEN',
    });
  });

  it('hides other voters', async () => {
    await bob.perform(vote('up'));
    const { data } = await (people[2] ?? ada).mutate<Voted>(vote('up'));
    expect(data.done.post).toMatchObject({
      upvoteCount: 2,
      upvotedBy: [{ _id: people[2]?.student.studentId }],
    });
    await bob.perform(vote('up'));
    await (people[2] ?? ada).perform(vote('up'));
  });

  it('counts exactly when many students toggle concurrently', async () => {
    const voters = people.slice(1);
    // Each student toggles a number of times that depends on the index, all concurrently.
    await Promise.all(
      voters.map(async (voter, place) => {
        for (let time = 0; time <= place % 4; time++)
          await voter.perform(vote(place % 2 === 0 ? 'up' : 'down'));
      }),
    );
    const up = voters.filter((_, place) => place % 4 === 0).length;
    // Odd indexes toggle an even number of times, indexes of the form 4n + 2 three times.
    const upAgain = voters.filter((_, place) => place % 4 === 2).length;
    const stored = async () => {
      const text =
        'select upvotes::int as up, downvotes::int as down from read.post_votes where post_id = $1';
      return (await app.pool.query<{ up: number; down: number }>(text, [post()])).rows;
    };
    const isCounted = ([row]: Awaited<ReturnType<typeof stored>>): boolean =>
      row?.up === up + upAgain && row.down === 0;
    expect(await eventually(stored, isCounted)).toEqual([{ up: up + upAgain, down: 0 }]);
    const { rows: doubles } = await app.pool.query(
      `select voter_id from read.votes where post_id = $1 and is_held group by voter_id having count(*) > 1`,
      [post()],
    );
    expect(doubles).toEqual([]);
  });

  it('counts one vote for concurrent requests with the same idempotency key', async () => {
    const key = { 'idempotency-key': randomUUID() };
    // This student has no vote at this point.
    const voter = people[4] ?? bob;
    const before = await streamLength(post(), voter);
    const answers = await Promise.all(Array.from({ length: 6 }, () => voter.mutate(vote('down'), key)));
    expect(answers.filter(({ errors }) => errors)).toEqual([]);
    expect(await streamLength(post(), voter)).toBe(before + 1);
    await voter.perform(vote('down'));
    expect(await streamLength(post(), voter)).toBe(before + 2);
  });

  it('leaves at most one vote when a student votes concurrently', async () => {
    const voter = people[3] ?? bob;
    const answers = await Promise.all(Array.from({ length: 5 }, () => voter.mutate(vote('up'))));
    for (const { errors } of answers) if (errors) expect(errors[0]?.extensions.code).toBe('UNAVAILABLE');
    const { rows } = await app.pool.query<{ held: number }>(
      'select count(*)::int as held from read.votes where post_id = $1 and voter_id = $2 and is_held',
      [post(), voter.student.studentId],
    );
    expect(rows[0]?.held).toBeLessThanOrEqual(1);
  });
});

async function streamLength(postId: string, voter: Participant): Promise<number> {
  const { rows } = await app.pool.query<{ events: number }>(
    'select count(*)::int as events from log.events where stream_id = $1',
    [`vote-${postId}-${voter.student.studentId}`],
  );
  return rows[0]?.events ?? 0;
}

describe('voting', () => {
  it('rejects unknown and deleted posts', async () => {
    const gone = { message: 'This post no longer exists.', code: 'NOT_FOUND' };
    expect(await bob.refusal(`mutation { upvoteQuestion(questionId: "${randomUUID()}") { _id } }`)).toEqual(
      gone,
    );
    expect(await bob.refusal(`mutation { downvoteAnswer(answerId: "${questionId}") { _id } }`)).toEqual(gone);
    const id = await ada.ask();
    await ada.perform(`deleteQuestionById(id: "${id}") { _id }`);
    expect(await bob.refusal(`mutation { upvoteQuestion(questionId: "${id}") { _id } }`)).toEqual(gone);
    expect(await bob.refusal('mutation { upvoteQuestion(questionId: "NaN") { _id } }')).toMatchObject({
      code: 'VALIDATION_FAILED',
      field: 'questionId',
    });
  });
});
