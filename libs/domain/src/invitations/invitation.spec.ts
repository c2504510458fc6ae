import { describe, expect, it } from '@jest/globals';
import { OPERATOR, type Authority } from '../authority.js';
import { DomainError } from '../errors.js';
import type { InvitationEvent, InvitationMade } from '../events.js';
import { MAX_INVITATION_DAYS, MAX_INVITATION_USES, MAX_INVITED_CONTACTS } from '../limits.js';
import { newActor, newId, newMaintainer, newModerator } from '../testing/builders.js';
import { given } from '../testing/given-when-then.js';
import {
  parseContacts,
  invitationDecider,
  createInvitation,
  revokeInvitation,
  type InvitationDetails,
} from './invitation.decide.js';

const invitationId = newId();
const spaceId = newId();
const now = '2026-11-23T10:00:00.000Z';
const moderator = newModerator(spaceId);
const details: InvitationDetails = {
  kind: 'LINK',
  uses: 30,
  days: 7,
  domain: null,
  provider: null,
  group: null,
  contacts: 0,
};
const made: InvitationMade = {
  type: 'InvitationMade',
  data: { invitationId, spaceId, kind: 'LINK', uses: 30, expiresAt: '2026-11-30T10:00:00.000Z', rule: null },
};
const revoked: InvitationEvent = { type: 'InvitationRevoked', data: { invitationId, spaceId } };

describe('createInvitation', () => {
  const making = (
    changes: object,
    overrides: Partial<InvitationDetails> = {},
    ...events: InvitationEvent[]
  ) =>
    given(invitationDecider, ...events).when((s) =>
      createInvitation(
        {
          by: moderator,
          invitationId,
          spaceId,
          entry: 'INVITATION',
          now,
          details: { ...details, ...overrides },
          ...changes,
        },
        s,
      ),
    );

  it('lets staff of a restricted space create an invitation once', () => {
    for (const by of [moderator, newModerator(), newMaintainer(), OPERATOR]) making({ by }).then(made);
    for (const by of [newActor(), newModerator(newId())]) making({ by }).thenRefused('FORBIDDEN');
    making({ by: { ...moderator, blocked: true } }).thenRefused('STUDENT_BLOCKED');
    making({ entry: 'OPEN' }).thenRefused('SPACE_IS_OPEN');
    making({ entry: undefined }).thenRefused('SPACE_NOT_FOUND');
    making({ entry: 'IMPORTING' }).thenRefused('SPACE_NOT_FOUND');
    making({ entry: 'REQUEST' }).then(made);
    making({}, {}, made).thenNothingHappens();
  });
  it('limits the uses and days of links and codes', () => {
    for (const uses of [null, 0, -1, 1.5, MAX_INVITATION_USES + 1])
      for (const kind of ['LINK', 'CODE'] as const)
        making({}, { kind, uses }).thenRefused('INVITATION_USES_INVALID');
    for (const days of [null, 0, -1, 1.5, MAX_INVITATION_DAYS + 1, Number.NaN])
      for (const kind of ['LINK', 'CODE', 'LIST'] as const)
        making({}, { kind, days, contacts: 1 }).thenRefused('INVITATION_DAYS_INVALID');
  });
  it('counts the contacts of a list, and sets no expiry for domains and groups', () => {
    making({}, { kind: 'LIST', contacts: 3, uses: null }).then({
      ...made,
      data: { ...made.data, kind: 'LIST', uses: 3 },
    });
    const unlimited = { ...made.data, uses: null, expiresAt: null };
    making({}, { kind: 'DOMAIN', domain: ' @Schule.Example ' }).then({
      ...made,
      data: { ...unlimited, kind: 'DOMAIN', rule: 'schule.example' },
    });
    making({}, { kind: 'GROUP', provider: 'first', group: ' 7b ' }).then({
      ...made,
      data: { ...unlimited, kind: 'GROUP', rule: 'first:7b' },
    });
  });
  it('requires a valid email domain or a group of a provider', () => {
    for (const domain of [
      null,
      '',
      'school',
      'a b.example',
      'x@school.example',
      '127.0.0.1',
      '*.school.example',
    ])
      making({}, { kind: 'DOMAIN', domain }).thenRefused('INVITATION_DOMAIN_INVALID');
    making({}, { kind: 'GROUP', group: '7b' }).thenRefused('PROVIDER_WITHOUT_GROUPS');
    making({}, { kind: 'GROUP', provider: 'first', group: ' ' }).thenRefused('INVITATION_GROUP_INVALID');
    making({}, { kind: 'GROUP', provider: 'first', group: 'x'.repeat(201) }).thenRefused(
      'INVITATION_GROUP_INVALID',
    );
  });
});

describe('revokeInvitation', () => {
  const revoking = (by: Authority, space: string, ...events: InvitationEvent[]) =>
    given(invitationDecider, ...events).when((s) =>
      revokeInvitation({ by, spaceId: space, invitationId }, s),
    );

  it('revokes an invitation once', () => {
    revoking(moderator, spaceId, made).then(revoked);
    revoking(moderator, spaceId, made, revoked).thenNothingHappens();
  });
  it('requires staff of the space of the invitation', () => {
    const elsewhere = newId();
    revoking(newActor(), spaceId, made).thenRefused('FORBIDDEN');
    revoking(newModerator(elsewhere), spaceId, made).thenRefused('FORBIDDEN');
    revoking(newModerator(elsewhere), elsewhere, made).thenRefused('INVITATION_UNKNOWN');
    revoking(moderator, spaceId).thenRefused('INVITATION_UNKNOWN');
  });
});

describe('parseContacts', () => {
  const refusal = (text: string) => {
    try {
      parseContacts(text);
    } catch (error) {
      if (error instanceof DomainError) return { code: error.code, ...error.params };
      throw error;
    }
    return undefined;
  };

  it('reads lines and commas without duplicates', () => {
    expect(parseContacts('a@school.example, b@school.example;\r\n\n98765 43210\nA@School.Example\n')).toEqual(
      [
        { kind: 'email', value: 'A@school.example' },
        { kind: 'email', value: 'b@school.example' },
        { kind: 'phone', value: '919876543210' },
      ],
    );
    expect(parseContacts('+91 98765-43210')).toEqual([{ kind: 'phone', value: '919876543210' }]);
  });
  it('names every invalid line', () => {
    expect(refusal('a@school.example\nanna\n9876543210, 12\n\nx@\n')).toEqual({
      code: 'INVITED_CONTACTS_INVALID',
      lines: '2, 3, 5',
    });
    expect(refusal(' \n,')).toEqual({ code: 'INVITED_CONTACTS_REQUIRED' });
  });
  it('limits the number of contacts', () => {
    const list = (n: number) => Array.from({ length: n }, (_, at) => `s${at}@school.example`).join('\n');
    expect(parseContacts(list(MAX_INVITED_CONTACTS))).toHaveLength(MAX_INVITED_CONTACTS);
    expect(refusal(list(MAX_INVITED_CONTACTS + 1))).toMatchObject({ code: 'TOO_MANY_INVITED_CONTACTS' });
  });
});
