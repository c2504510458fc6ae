import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { bootApp, type TestApp } from '../../../../../test/app.js';
import { newSteppingClock } from '../../../../../test/stepping-clock.js';
import { newCommunity, newSpace, type Community } from '../../../../../test/community.js';
import { concurrently } from '../../../../../test/concurrently.js';
import { Participant } from '../../../../../test/participant.js';

let app: TestApp;
let community: Community;
let people: Participant[];
let moderator: Participant;
let outsider: Participant;
const ring = () => people.slice(0, 3);
const inSpace = () => `space: "${community.spaceId}"`;
const idOf = ({ student }: Participant) => student.studentId;
const upvote = (who: Participant, post: string) =>
  who.perform(`upvoteQuestion(questionId: "${post}") { _id }`);
const newModeratorOf = async (spaceId: string): Promise<Participant> => {
  const student = await app.signUp();
  await app.grantRole(student.studentId, 'MODERATOR', spaceId);
  return new Participant(app, student, community);
};

beforeAll(async () => {
  app = await bootApp({}, { clock: newSteppingClock().now });
  community = await newCommunity(app, 14);
  people = community.members.map((student) => new Participant(app, student, community));
  moderator = await newModeratorOf(community.spaceId);
  outsider = await newModeratorOf(await newSpace(app));
  const posts = new Map<Participant, string[]>();
  await concurrently(people, async (person) => {
    const count = ring().includes(person) ? 10 : 1;
    const own: string[] = [];
    for (let post = 0; post < count; post += 1) own.push(await person.ask({ title: `Question ${post}` }));
    posts.set(person, own);
  });
  // Ring members vote for one another, and so do all others.
  for (const group of [ring(), people.slice(3)])
    await concurrently(group, async (voter) => {
      for (const author of group)
        if (author !== voter) for (const post of posts.get(author) ?? []) await upvote(voter, post);
    });
  await app.caughtUp();
});
afterAll(() => app.close());

it('is triaged once, shows in the audit except to those concerned, and reopens when it grows', async () => {
  interface Triaged {
    readonly _id: string;
    readonly kind: string;
    readonly votes: number;
    readonly state: string;
    readonly hasGrown: boolean;
    readonly revision: number;
    readonly triage: { readonly verdict: string; readonly votes: number; readonly moderator: object } | null;
  }
  const member = people[0] as Participant;
  const other = await newModeratorOf(community.spaceId);
  const ringFor = async (who: Participant) =>
    (
      await who.query<readonly Triaged[]>(
        `getVotePatterns(${inSpace()}) { _id kind votes state hasGrown revision triage { verdict votes moderator { _id } } }`,
      )
    ).find(({ kind }) => kind === 'RING');
  const found = async (): Promise<Triaged> => {
    const ringNow = await ringFor(moderator);
    if (!ringNow) throw new Error('no ring found');
    return ringNow;
  };
  const counts = async () =>
    (
      await moderator.query<readonly object[]>(
        'getVotePatternCounts { space { _id } untriaged seen watched watchedAndGrown harmless }',
      )
    )[0];
  const triage = ({ _id, votes, revision }: Triaged, verdict: string) =>
    `triageVotePattern(${inSpace()}, pattern: "${_id}", verdict: ${verdict}, votes: ${votes}, revision: ${revision}) { _id }`;
  const first = await found();
  expect(first).toMatchObject({ state: 'NEW', hasGrown: false, revision: 0, triage: null });
  // The votes are cast within minutes, but a burst within the ring is not another pattern.
  expect(await moderator.query(`getVotePatterns(${inSpace()}) { _id }`)).toEqual([{ _id: first._id }]);
  expect(await counts()).toMatchObject({ space: { _id: community.spaceId }, untriaged: 1, watched: 0 });

  // Both saw the same state: only one verdict is accepted.
  const both = await Promise.all([
    moderator.mutate(triage(first, 'WATCHED')),
    other.mutate(triage(first, 'WATCHED')),
  ]);
  const refused = both.flatMap(({ errors }) => errors ?? []);
  expect(refused.map(({ extensions, message }) => [extensions.code, message])).toEqual([
    ['CONFLICT', 'Another moderator has triaged this pattern. Review it again.'],
  ]);
  expect(await found()).toMatchObject({
    ...{ state: 'WATCHED', hasGrown: false, revision: 1 },
    triage: { verdict: 'WATCHED', votes: first.votes },
  });
  expect(await counts()).toMatchObject({ untriaged: 0, watched: 1, watchedAndGrown: 0 });

  const [second] = ring().slice(1) as [Participant];
  const grow = async () => upvote(second, await member.ask({ title: 'One more' }));
  await grow();
  await app.caughtUp();
  const grown = await found();
  expect(grown).toMatchObject({ state: 'WATCHED', hasGrown: true, votes: first.votes + 1 });
  expect(await counts()).toMatchObject({ watched: 1, watchedAndGrown: 1 });
  // A verdict on the state before it grew is refused.
  const stale = await moderator.refusal(
    `mutation { ${triage({ ...first, revision: grown.revision }, 'HARMLESS')} }`,
  );
  expect(stale).toMatchObject({ code: 'CONFLICT' });
  expect(stale.message).toContain('changed since you opened it');
  await moderator.perform(triage(grown, 'HARMLESS'));
  expect(await found()).toMatchObject({ state: 'HARMLESS', hasGrown: false, revision: 2 });
  expect(await counts()).toMatchObject({ untriaged: 0, harmless: 1 });
  await grow();
  await app.caughtUp();
  expect(await found()).toMatchObject({ state: 'NEW', hasGrown: true, triage: { verdict: 'HARMLESS' } });
  expect(await counts()).toMatchObject({ untriaged: 1, harmless: 0 });

  const auditEntries = async (who: Participant) =>
    (
      await who.query<{ nodes: { about: string; actor: { _id: string }; receiver: { _id: string } }[] }>(
        `getAuditEntries(filter: { ${inSpace()}, kinds: [VotePatternTriaged] }) { nodes { about actor { _id } receiver { _id } } }`,
      )
    ).nodes;
  const entries = await auditEntries(moderator);
  expect(entries.map(({ about }) => about)).toEqual([
    ...Array<string>(3).fill('HARMLESS'),
    ...Array<string>(3).fill('WATCHED'),
  ]);
  expect(new Set(entries.map(({ receiver }) => receiver._id))).toEqual(new Set(ring().map(idOf)));
  expect(entries[0]?.actor._id).toBe(idOf(moderator));

  // A moderator the pattern concerns sees neither the pattern nor its triage.
  await app.grantRole(idOf(member), 'MODERATOR', community.spaceId);
  expect(await ringFor(member)).toBeUndefined();
  expect(await auditEntries(member)).toEqual([]);
  expect(await member.query('getVotePatternCounts { untriaged }')).toEqual([]);
  const last = await found();
  expect((await member.refusal(`mutation { ${triage(last, 'HARMLESS')} }`)).code).toBe('NOT_FOUND');
  const unknown = { ...last, _id: 'ring-0000000000000000' };
  expect((await moderator.refusal(`mutation { ${triage(unknown, 'SEEN')} }`)).code).toBe('NOT_FOUND');
  for (const stranger of [outsider, people[8] as Participant])
    expect((await stranger.refusal(`mutation { ${triage(last, 'SEEN')} }`)).code).toBe('FORBIDDEN');
  expect(await outsider.query('getVotePatternCounts { untriaged }')).toEqual([]);
  expect((await (people[8] as Participant).refusal('{ getVotePatternCounts { untriaged } }')).code).toBe(
    'FORBIDDEN',
  );
});
