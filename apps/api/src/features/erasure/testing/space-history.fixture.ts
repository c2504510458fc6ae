import { eventually } from '@nimo/testing';
import { newSpace } from '../../../../../../test/community.js';
import { GROUP } from './account-history.fixture.js';
import { newWord, type Person } from './person.fixture.js';

/** Requests: refused, withdrawn, and accepted, after which staff removes the person. */
export async function requests(person: Person): Promise<void> {
  const { app } = person.surroundings;
  const { studentId } = person;
  const [refused, withdrawn, accepted] = [
    await newSpace(app, undefined, { entry: 'REQUEST' }),
    await newSpace(app, undefined, { entry: 'REQUEST' }),
    await newSpace(app, undefined, { entry: 'REQUEST' }),
  ];
  await person.does('requestEntry', { spaceId: refused, text: person.value('text of a refused request') });
  await person.staffDoes('answerEntryRequest', {
    space: refused,
    studentId,
    isAccepted: false,
    reason: person.value('reason of a refusal'),
  });
  await person.does('requestEntry', {
    spaceId: withdrawn,
    text: person.value('text of a withdrawn request'),
  });
  await person.does('withdrawEntryRequest', { spaceId: withdrawn });
  await person.does('requestEntry', { spaceId: accepted, text: person.value('text of an accepted request') });
  await person.staffDoes('answerEntryRequest', { space: accepted, studentId, isAccepted: true });
  await person.staffDoes('removeMember', {
    space: accepted,
    studentId,
    reason: person.value('reason of a removal'),
  });
  await person.does('requestEntry', { spaceId: accepted, text: person.value('text of an open request') });
}

/** Invitations by name, link, code, list, email domain and group. */
export async function invitations(person: Person): Promise<void> {
  const { app } = person.surroundings;
  const { studentId } = person;
  const [byName, bySecret, byList] = [
    await newSpace(app, undefined, { entry: 'INVITATION' }),
    await newSpace(app, undefined, { entry: 'INVITATION' }),
    await newSpace(app, undefined, { entry: 'INVITATION' }),
  ];
  const invited = { space: byName, userName: person.valueOf('user name') };
  await person.staffDoes('inviteStudent', invited);
  await person.staffDoes('revokeStudentInvitation', { space: byName, studentId });
  await person.staffDoes('inviteStudent', invited);
  await person.does('joinSpace', { spaceId: byName });
  await person.does('leaveSpace', { spaceId: byName });
  await person.staffDoes('inviteStudent', invited);

  for (const kind of ['LINK', 'CODE']) {
    const secret = await invitationSecret(person, bySecret, { kind, uses: 2, days: 1 });
    await person.does('joinByInvitation', { secret });
    await person.does('leaveSpace', { spaceId: bySecret });
  }
  const contacts = `+${person.valueOf('phone')}\n${person.valueOf('email')}`;
  await invite(person, byList, { kind: 'LIST', contacts, days: 1 });
  await person.does('joinSpace', { spaceId: byList });
  // Left over: lists of a space that the person did not join, and rules they match.
  const unused = await newSpace(app, undefined, { entry: 'INVITATION' });
  await invite(person, unused, { kind: 'LIST', contacts, days: 1 });
  await invite(person, unused, { kind: 'DOMAIN', domain: 'example.org' });
  const revoked = await invite(person, unused, { kind: 'CODE', uses: 1, days: 1 });
  await person.staffDoes('revokeInvitation', { space: unused, id: revoked });
}

/** A space for a group at the provider, which the person does not join. */
export const groupInvitation = async (person: Person): Promise<void> => {
  const space = await newSpace(person.surroundings.app, undefined, { entry: 'INVITATION' });
  await invite(person, space, { kind: 'GROUP', provider: 'first', group: GROUP });
};

const invite = (person: Person, space: string, details: object): Promise<string> =>
  person.staffDoes<string>('createInvitation', { space, details });

async function invitationSecret(person: Person, space: string, details: object): Promise<string> {
  const id = await invite(person, space, details);
  const { staff } = person.surroundings;
  const secretOf = async () => {
    const all = await staff.query<{ _id: string; secret: string | null }[]>(
      `getInvitations(space: "${space}") { _id secret }`,
    );
    return all.find(({ _id }) => _id === id)?.secret ?? '';
  };
  return eventually(secretOf);
}

/** One guardian answers both ways; another does not answer, so that the email stays in the outbox. */
export async function guardians(person: Person): Promise<void> {
  const { app } = person.surroundings;
  const { studentId } = person;
  const newGuardian = () => `${newWord()}@example.org`;
  const [answered, open] = [
    await newSpace(app, undefined, { consentAge: 16 }),
    await newSpace(app, undefined, { consentAge: 16 }),
  ];
  await person.does('declareAge', { spaceId: answered, band: 'BELOW' });
  await person.staffDoes('clearAge', { space: answered, studentId });
  for (const spaceId of [answered, open]) await person.does('declareAge', { spaceId, band: 'BELOW' });
  const email = person.hiddenValue('guardian who answered', newGuardian());
  await person.does('requestGuardianConsent', { spaceId: answered, email });
  const token = await person.messageTo(email, /\/consent#([\w-]+)/);
  for (const isGiven of [true, false])
    await person.anyoneDoes('answerGuardianConsent', { token, isGiven, termsVersion: 'nimo-1' });
  const silent = person.value('guardian', newGuardian());
  await person.does('requestGuardianConsent', { spaceId: open, email: silent });
  await person.messageTo(silent, /\/consent#([\w-]+)/);
}
