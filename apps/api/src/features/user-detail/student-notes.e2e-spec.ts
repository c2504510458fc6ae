import { beforeAll, describe, expect, it } from '@jest/globals';
import { MAX_NOTE_LENGTH } from '@nimo/domain';
import { sharedApp, type TestApp } from '../../../../../test/app.js';
import { newCommunity, type Community } from '../../../../../test/community.js';
import { Participant } from '../../../../../test/participant.js';

interface Note {
  readonly _id: string;
  readonly text: string;
  readonly author: { readonly _id: string } | null;
}

let app: TestApp;
let community: Community;
let [ada, bob, moderator, other, maintainer]: Participant[] = [];
beforeAll(async () => {
  app = await sharedApp();
  community = await newCommunity(app, 5);
  [ada, bob, moderator, other, maintainer] = community.members.map(
    (student) => new Participant(app, student, community),
  );
  for (const by of [moderator, other]) await app.grantRole(idOf(by), 'MODERATOR', community.spaceId);
  await app.grantRole(idOf(maintainer), 'MAINTAINER');
});

const known = (participant: Participant | undefined): Participant => {
  if (!participant) throw new Error('the community is too small');
  return participant;
};
const idOf = (participant: Participant | undefined) => known(participant).student.studentId;
const about = (participant: Participant | undefined) =>
  `studentId: "${idOf(participant)}", space: "${community.spaceId}"`;
const read = (of: Participant | undefined) => `getStudentNotes(${about(of)}) { _id text author { _id } }`;
const write = (of: Participant | undefined, text: string) =>
  `writeStudentNote(${about(of)}, text: "${text}") { flag }`;
const remove = (of: Participant | undefined, note: string) =>
  `removeStudentNote(${about(of)}, note: "${note}") { flag }`;
const notesOn = (of: Participant | undefined, by = moderator) => known(by).query<Note[]>(read(of));
const refused = (by: Participant | undefined, operation: string) => known(by).refusal(operation);

describe('notes on a student', () => {
  it('are visible to moderators of the space and maintainers, and each view is logged', async () => {
    await known(moderator).perform(write(bob, 'Asks in bulk'));
    await known(maintainer).perform(write(bob, 'Warned by mail'));
    const seen = await notesOn(bob, other);
    expect(seen).toMatchObject([
      { text: 'Warned by mail', author: { _id: idOf(maintainer) } },
      { text: 'Asks in bulk', author: { _id: idOf(moderator) } },
    ]);
    for (const operation of [`{ ${read(bob)} }`, `mutation { ${write(bob, 'Mine')} }`])
      expect(await refused(ada, operation)).toMatchObject({ code: 'FORBIDDEN' });
    const { rows } = await app.pool.query(
      `select data from log.events where type = 'ConfidentialDataRead' and data ->> 'what' = 'NOTES'
         and metadata -> 'actor' ->> 'id' = $1`,
      [idOf(other)],
    );
    expect(rows).toMatchObject([
      { data: { studentIds: [idOf(bob)], spaceIds: [community.spaceId], rows: 2 } },
    ]);
  });

  it('are encrypted in the log', async () => {
    await known(moderator).perform(write(ada, 'A secret of hers'));
    const { rows } = await app.pool.query<{ data: string }>(
      `select data::text from log.events where type = 'StudentNoteWritten'`,
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const { data } of rows) expect(data).not.toContain('secret');
  });

  it('on a moderator are visible only to others, also in the audit', async () => {
    await known(maintainer).perform(write(moderator, 'Too strict'));
    for (const operation of [`{ ${read(moderator)} }`, `mutation { ${write(moderator, 'Just strict')} }`])
      expect(await refused(moderator, operation)).toMatchObject({ code: 'FORBIDDEN' });
    expect(await notesOn(moderator, other)).toMatchObject([{ text: 'Too strict' }]);
    await app.caughtUp();
    const { rows } = await app.pool.query<{ ordinal: number }>(
      `select ordinal::int from read.audit_entries where kind = 'StudentNoteWritten' and receiver_id = $1`,
      [idOf(moderator)],
    );
    const entry = `getAuditEntry(ordinal: ${rows[0]?.ordinal ?? 0}) { data { name value } }`;
    expect(await known(moderator).query(entry)).toBeNull();
    expect(await known(other).query(entry)).toMatchObject({
      data: expect.arrayContaining([{ name: 'text', value: 'Too strict' }]),
    });
  });

  it('can be removed by their author', async () => {
    await known(moderator).perform(write(other, 'Out of date'));
    const [note] = await notesOn(other, maintainer);
    expect(await refused(known(bob), `mutation { ${remove(other, note?._id ?? '')} }`)).toMatchObject({
      code: 'FORBIDDEN',
    });
    await known(moderator).perform(remove(other, note?._id ?? ''));
    expect(await notesOn(other, maintainer)).toEqual([]);
  });

  it('require a text of limited length and a student of the space', async () => {
    expect(await refused(moderator, `mutation { ${write(bob, ' ')} }`)).toMatchObject({
      code: 'VALIDATION_FAILED',
    });
    const long = 'x'.repeat(MAX_NOTE_LENGTH + 1);
    expect(await refused(moderator, `mutation { ${write(bob, long)} }`)).toMatchObject({
      code: 'VALIDATION_FAILED',
    });
    const unknown = `studentId: "${community.spaceId}", space: "${community.spaceId}"`;
    expect(await refused(moderator, `mutation { writeStudentNote(${unknown}, text: "x") { flag } }`)).toEqual(
      {
        message: 'Student not found.',
        code: 'NOT_FOUND',
      },
    );
  });
});
