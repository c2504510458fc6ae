import { eventually } from '@nimo/testing';
import type { TestApp } from '../../../../../../test/app.js';
import { newParticipants } from '../../../../../../test/participant.js';
import type { OpenIdProvider } from '../../../../../../test/servers/open-id-provider.js';
import {
  erasuresWithdrawn,
  exports,
  lastingSecondFactors,
  linkedAccount,
  passwords,
  profile,
  secondFactors,
  sessions,
  signUpByEmail,
  signUpByPhone,
  startContactChange,
  changeContact,
  unusedMessages,
} from './account-history.fixture.js';
import { Mutations, type Person, type Surroundings } from './person.fixture.js';
import { asModerator, moderation, posts, reactions } from './post-history.fixture.js';
import { groupInvitation, guardians, invitations, requests } from './space-history.fixture.js';

const SIGN_UPS = { PHONE: signUpByPhone, EMAIL: signUpByEmail };

export async function newSurroundings(app: TestApp): Promise<Surroundings> {
  const { community, people } = await newParticipants(app, 2);
  const [ben, staff] = people;
  await app.grantRole(staff.student.studentId, 'MODERATOR');
  await app.grantRole(staff.student.studentId, 'MAINTAINER');
  return { app, mutations: new Mutations(app), community, ben, staff };
}

/** Makes the person use every feature. Once per app, because it leaves rebuilds running. */
export async function liveFully(
  person: Person,
  provider: OpenIdProvider,
  signUp: keyof typeof SIGN_UPS,
): Promise<void> {
  const { app, community } = person.surroundings;
  await SIGN_UPS[signUp](person);
  await person.does('joinSpace', { spaceId: community.spaceId });
  await profile(person);
  await changeContact(person, 'EMAIL', 'PHONE');
  await changeContact(person, 'PHONE', 'PHONE');
  await passwords(person);
  await secondFactors(person);
  await sessions(person);
  await groupInvitation(person);
  await linkedAccount(person, provider);
  await erasuresWithdrawn(person);
  await requests(person);
  await invitations(person);
  await guardians(person);
  const ids = await posts(person);
  await reactions(person, ids);
  await moderation(person, ids);
  await asModerator(person);
  await lastingSecondFactors(person);
  await exports(person);
  await startContactChange(person);
  await unusedMessages(person);
  await generations(person);
  await app.caughtUp();
}

/** Retired generations with the person's data, and rebuilds that are still running. */
async function generations(person: Person): Promise<void> {
  const { app } = person.surroundings;
  const live = async () => {
    const { rows } = await app.pool.query<{ generation: number }>(
      `select generation::int from read.projection_generations where name = any($1) and status = 'live' order by name`,
      [REBUILT],
    );
    return rows.map(({ generation }) => generation);
  };
  const former = await live();
  await person.staffDoes('rebuildProjections', { names: REBUILT, hold: false }, 'name');
  await eventually(live, (now) => now.every((generation, at) => generation !== former[at]));
  await person.staffDoes('rebuildProjections', { names: HELD, hold: true }, 'name');
}
const REBUILT = ['students', 'questions', 'moderation'];
const HELD = ['search', 'notes', 'questions'];
