import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { EventStore } from '@nimo/event-store';
import { EVENT_STORE } from '../../platform/config/tokens.js';
import { sharedApp, type TestApp } from '../../../../../test/app.js';
import type { Community } from '../../../../../test/community.js';
import { newParticipants, type Participant } from '../../../../../test/participant.js';

interface SavedSpace {
  readonly space: { readonly _id: string; readonly name: string; readonly hiddenFromSearchEngines: boolean };
}
interface SavedTopic {
  readonly topic: { readonly _id: string; readonly topicName: string; readonly topicType: string };
}

let app: TestApp;
let community: Community;
let mai: Participant;
let ada: Participant;
beforeAll(async () => {
  app = await sharedApp();
  const met = await newParticipants(app, 2);
  community = met.community;
  [mai, ada] = met.people;
  await app.grantRole(mai.student.studentId, 'MAINTAINER');
});

const SPACE = '{ space { _id name description color bannerImageUrl hiddenFromSearchEngines } }';
const conflict = {
  message: 'Someone else changed this. Review the changes before you save.',
  code: 'CONFLICT',
};
const newSpaceBy = async (name = `Space ${randomUUID()}`): Promise<string> => {
  const made = await mai.mutate<SavedSpace>(
    `createSpace(details: { name: "${name}", color: "1E88E5" }) ${SPACE}`,
  );
  return made.data.done.space._id;
};
const done = <Fields>(operation: string): Promise<Fields> => mai.perform<Fields>(operation);

describe('spaces', () => {
  it('can be created with a subject and a topic for students to join and ask in', async () => {
    const spaceId = await newSpaceBy();
    const { subject } = await done<{ subject: { _id: string } }>(
      `addSubject(space: "${spaceId}", subjectName: "Grammar", color: "ff8800") { subject { _id topicCount } }`,
    );
    const { topic } = await done<SavedTopic>(
      `addTopic(subject: "${subject._id}", topicName: "Accents") { topic { _id topicName topicType } }`,
    );
    expect(topic).toMatchObject({ topicName: 'Accents', topicType: 'PRIMARY' });
    await ada.perform(`joinSpace(spaceId: "${spaceId}") { _id }`);
    await ada.ask({ space: spaceId, subject: subject._id, topic: topic._id });
    expect(
      await mai.query(`getManagedSpace(id: "${spaceId}") { memberCount subjectCount topicCount }`),
    ).toEqual({
      memberCount: 1,
      subjectCount: 1,
      topicCount: 1,
    });
    expect(
      await mai.query(`getManagedTopics(subject: "${subject._id}") { docs { questionCount } hasNext }`),
    ).toEqual({ docs: [{ questionCount: 1 }], hasNext: false });
  });

  it('are created without public pages and hidden from search engines', async () => {
    const spaceId = await newSpaceBy();
    expect(
      await mai.query(`getManagedSpace(id: "${spaceId}") { entry publicPages hiddenFromSearchEngines }`),
    ).toEqual({ entry: 'OPEN', publicPages: false, hiddenFromSearchEngines: true });
  });

  it('are changed field by field, rejecting stale changes to the same field', async () => {
    const french = `French ${randomUUID()}`;
    const spaceId = await newSpaceBy(french);
    const change = (fields: string, seen: string) =>
      `changeSpace(id: "${spaceId}", change: { ${fields} }, seen: { ${seen} }) ${SPACE}`;
    await done(change(`name: "${french}e"`, `name: "${french}"`));
    expect(await mai.refusal(`mutation { ${change('name: "Frances"', `name: "${french}"`)} }`)).toEqual(
      conflict,
    );
    const { space } = await done<SavedSpace>(
      change('hiddenFromSearchEngines: false', 'hiddenFromSearchEngines: true'),
    );
    expect(space).toMatchObject({ name: `${french}e`, color: '1e88e5', hiddenFromSearchEngines: false });
    expect((await mai.query<{ _id: string }[]>('getManagedSpaces { _id }')).map(({ _id }) => _id)).toContain(
      spaceId,
    );
  });

  it('return the audit entry of each change and null if nothing changed', async () => {
    const spaceId = await newSpaceBy();
    const change = `changeSpace(id: "${spaceId}", change: { description: "La langue" }) { act }`;
    const { act } = await done<{ act: number }>(change);
    const { rows } = await app.pool.query(
      'select kind, actor_id, space_id from read.audit_entries where ordinal = $1',
      [act],
    );
    expect(rows).toEqual([{ kind: 'SpaceChanged', actor_id: mai.student.studentId, space_id: spaceId }]);
    expect(await done(change)).toEqual({ act: null });
  });

  it('reject pictures that the maintainer did not upload', async () => {
    const spaceId = await newSpaceBy();
    for (const url of ['https://example.org/a.png', `/media/${randomUUID()}.webp`])
      expect(
        await mai.refusal(
          `mutation { changeSpace(id: "${spaceId}", change: { bannerImageUrl: "${url}" }) { act } }`,
        ),
      ).toMatchObject({ code: 'VALIDATION_FAILED', field: 'bannerImageUrl' });
    await done(`changeSpace(id: "${spaceId}", change: { bannerImageUrl: null }) { act }`);
  });

  it('cannot have the name of another space, however it is written', async () => {
    const name = `Été ${randomUUID()}`;
    await newSpaceBy(name);
    const other = await newSpaceBy();
    const taken = {
      message: 'Another space already has this name. Choose another.',
      code: 'CONFLICT',
      field: 'name',
    };
    for (const twin of [name, name.toUpperCase(), ` ${name.replace(' ', '  ')} `, name.normalize('NFD')]) {
      expect(
        await mai.refusal(`mutation { createSpace(details: { name: "${twin}", color: "000000" }) { act } }`),
      ).toMatchObject(taken);
      expect(
        await mai.refusal(`mutation { changeSpace(id: "${other}", change: { name: "${twin}" }) { act } }`),
      ).toMatchObject(taken);
    }
  });

  it('are named once when several maintainers use a name at the same moment', async () => {
    const name = `Space ${randomUUID()}`;
    const renamed = await newSpaceBy();
    const created = Array.from({ length: 5 }, () =>
      mai.mutate(`createSpace(details: { name: "${name}", color: "000000" }) { act }`),
    );
    const answers = await Promise.all([
      ...created,
      mai.mutate(`changeSpace(id: "${renamed}", change: { name: "${name}" }) { act }`),
    ]);
    expect(answers.filter(({ errors }) => !errors)).toHaveLength(1);
    const all = await mai.query<{ name: string }[]>('getManagedSpaces { name }');
    expect(all.filter((space) => space.name === name)).toHaveLength(1);
  });

  it('give up a name for others, and keep it against themselves', async () => {
    const name = `Space ${randomUUID()}`;
    const spaceId = await newSpaceBy(name);
    const rename = (to: string) => done(`changeSpace(id: "${spaceId}", change: { name: "${to}" }) { act }`);
    await rename(name.toUpperCase());
    await rename(`${name} old`);
    await newSpaceBy(name);
  });

  it('that were twins before names were unique can still be changed', async () => {
    const name = `Space ${randomUUID()}`;
    const [first, twin] = [await newSpaceBy(name), randomUUID()];
    const { rows } = await app.pool.query<{ data: object; metadata: object }>(
      `select data, metadata from log.events where stream_id = $1`,
      [`space-${first}`],
    );
    const commandId = randomUUID();
    await app.api.get<EventStore>(EVENT_STORE, { strict: false }).append([
      {
        streamId: `space-${twin}`,
        expectedRevision: 'no-stream',
        events: [
          {
            ...{ id: randomUUID(), type: 'SpaceCreated' },
            data: { ...rows[0]?.data, spaceId: twin },
            metadata: { ...rows[0]?.metadata, commandId },
          },
        ],
      },
    ]);
    await app.caughtUp();
    const change = (fields: string) => `changeSpace(id: "${twin}", change: { ${fields} }) { space { name } }`;
    expect(await done(change(`name: "${name}", description: "Twin"`))).toEqual({ space: { name } });
    expect(await done(change(`name: "${name} 2"`))).toEqual({ space: { name: `${name} 2` } });
    expect(await mai.refusal(`mutation { ${change(`name: "${name}"`)} }`)).toMatchObject({ field: 'name' });
  });

  it('report invalid fields and unknown ids', async () => {
    expect(
      await mai.refusal('mutation { createSpace(details: { name: " ", color: "000000" }) { act } }'),
    ).toMatchObject({ field: 'name' });
    expect(
      await mai.refusal('mutation { createSpace(details: { name: "x", color: "red" }) { act } }'),
    ).toMatchObject({ field: 'color' });
    expect(
      await mai.refusal(`mutation { changeSpace(id: "${randomUUID()}", change: {}) { act } }`),
    ).toMatchObject({ code: 'NOT_FOUND' });
    expect(await mai.query(`getManagedSpace(id: "${randomUUID()}") { _id }`)).toBeNull();
  });
});

describe('subjects', () => {
  it('are changed unless the form is stale', async () => {
    const spaceId = await newSpaceBy();
    const { subject } = await done<{ subject: { _id: string } }>(
      `addSubject(space: "${spaceId}", subjectName: "Grammar", color: "ff8800") { subject { _id } }`,
    );
    const change = `changeSubject(id: "${subject._id}", change: { subjectName: "Grammaire" }, seen: { subjectName: "Grammar" })`;
    await done(`${change} { subject { subjectName } }`);
    expect(
      await mai.refusal(
        `mutation { changeSubject(id: "${subject._id}", change: { subjectName: "X" }, seen: { subjectName: "Grammar" }) { act } }`,
      ),
    ).toEqual(conflict);
    expect(await mai.query(`getManagedSubjects(space: "${spaceId}") { subjectName color }`)).toEqual([
      { subjectName: 'Grammaire', color: 'ff8800' },
    ]);
    expect(
      await mai.refusal(
        `mutation { addSubject(space: "${spaceId}", subjectName: "GRAMMAIRE", color: "000000") { act } }`,
      ),
    ).toMatchObject({ code: 'CONFLICT', field: 'subjectName' });
  });
});

describe('topics', () => {
  const topicOf = async (name: string): Promise<string> =>
    (
      await done<SavedTopic>(
        `addTopic(subject: "${community.subjectId}", topicName: "${name}") { topic { _id } }`,
      )
    ).topic._id;

  it('are found by both names after a rename', async () => {
    const [before, after] = [`Algbra ${randomUUID()}`, `Algebra ${randomUUID()}`];
    const id = await topicOf(before);
    const { topic } = await done<SavedTopic>(
      `changeTopic(id: "${id}", change: { topicName: "${after}" }, seen: { topicName: "${before}" }) { topic { _id topicName } }`,
    );
    expect(topic).toEqual({ _id: id, topicName: after });
    for (const name of [before, after.toUpperCase()]) {
      const { data } = await ada.mutate(
        `createTopic(topicName: "${name}", subject: "${community.subjectId}") { _id }`,
      );
      expect(data.done._id).toBe(id);
    }
    await done(`changeTopic(id: "${id}", change: { topicName: "${before}" }) { act }`);
  });

  it('cannot take the name of another topic', async () => {
    const [mine, theirs] = [`Rings ${randomUUID()}`, `Fields ${randomUUID()}`];
    const id = await topicOf(mine);
    await topicOf(theirs);
    const taken = { code: 'CONFLICT', field: 'topicName' };
    expect(
      await mai.refusal(`mutation { changeTopic(id: "${id}", change: { topicName: "${theirs}" }) { act } }`),
    ).toMatchObject(taken);
    expect(
      await mai.refusal(
        `mutation { addTopic(subject: "${community.subjectId}", topicName: "${mine.toUpperCase()}") { act } }`,
      ),
    ).toMatchObject(taken);
  });

  it('created by students become PRIMARY unless the form is stale', async () => {
    const name = `Monoids ${randomUUID()}`;
    const { data } = await ada.mutate(
      `createTopic(topicName: "${name}", subject: "${community.subjectId}") { _id }`,
    );
    const change = `changeTopic(id: "${data.done._id}", change: { topicType: PRIMARY }, seen: { topicType: SECONDARY })`;
    expect(await done(`${change} { topic { topicType } }`)).toEqual({ topic: { topicType: 'PRIMARY' } });
    expect(
      await mai.refusal(
        `mutation { changeTopic(id: "${data.done._id}", change: { topicName: "x", topicType: SECONDARY }, seen: { topicType: SECONDARY }) { act } }`,
      ),
    ).toEqual(conflict);
  });

  it('are rejected if unknown', async () => {
    const nowhere = randomUUID();
    expect(await mai.refusal(`mutation { changeTopic(id: "${nowhere}", change: {}) { act } }`)).toMatchObject(
      {
        code: 'NOT_FOUND',
      },
    );
    expect(
      await mai.refusal(`mutation { addTopic(subject: "${nowhere}", topicName: "x") { act } }`),
    ).toMatchObject({ code: 'NOT_FOUND' });
  });
});
