import { describe, it } from '@jest/globals';
import type { SpaceJoined, SpaceLeft } from '../events.js';
import { newActor, newId } from '../testing/builders.js';
import { given } from '../testing/given-when-then.js';
import { joinSpace, leaveSpace } from './membership.decide.js';
import { evolveMembership, initialMembership } from './membership.state.js';

const memberships = { initial: initialMembership, evolve: evolveMembership };
const actor = newActor();
const spaceId = newId();
const data = { spaceId, studentId: actor.studentId };
const joined: SpaceJoined = { type: 'SpaceJoined', data };
const left: SpaceLeft = { type: 'SpaceLeft', data };
const join = { actor, spaceId, spaceExists: true };

describe('joinSpace', () => {
  it('joins', () =>
    given(memberships)
      .when((s) => joinSpace(join, s))
      .then(joined));
  it('joins again after leaving', () =>
    given(memberships, joined, left)
      .when((s) => joinSpace(join, s))
      .then(joined));
  it('joins once', () =>
    given(memberships, joined)
      .when((s) => joinSpace(join, s))
      .thenNothingHappens());
  it('refuses a space that never was', () =>
    given(memberships)
      .when((s) => joinSpace({ ...join, spaceExists: false }, s))
      .thenRefused('SPACE_NOT_FOUND'));
  it('is for the registered who are not blocked', () => {
    const as = (changes: object) =>
      given(memberships).when((s) => joinSpace({ ...join, actor: { ...actor, ...changes } }, s));
    as({ registered: false }).thenRefused('NOT_REGISTERED');
    as({ blocked: true }).thenRefused('STUDENT_BLOCKED');
  });
});

describe('leaveSpace', () => {
  it('leaves', () =>
    given(memberships, joined)
      .when((s) => leaveSpace({ actor, spaceId }, s))
      .then(left));
  it('leaves what was joined alone', () =>
    given(memberships)
      .when((s) => leaveSpace({ actor, spaceId }, s))
      .thenNothingHappens());
});
