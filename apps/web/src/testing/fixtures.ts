import { v4 as uuid } from 'uuid';
import type { AuthUser } from '../lib/auth-storage';

/** A student as returned by the API. */
export function newStudent(changes: object = {}) {
  return {
    _id: uuid(),
    userName: 'isha_patel',
    firstName: 'Isha',
    lastName: 'Patel',
    profileDesc: 'Physics and chai.',
    realProfilePicUrl: null,
    isFirstTimeLogin: false,
    isPhoneVerified: true,
    isRegistered: true,
    ...changes,
  };
}

export function newAuthUser(changes: Partial<AuthUser> = {}): AuthUser {
  return {
    _id: uuid(),
    userName: 'isha_patel',
    firstName: 'Isha',
    lastName: 'Patel',
    profileDesc: '',
    realProfilePicUrl: null,
    ...changes,
  };
}

export function newSpace(changes: object = {}) {
  return {
    _id: uuid(),
    name: 'Greenfield High',
    description: 'Grades 9 to 12.',
    scope: 'world',
    bannerImageUrl: null,
    color: '4460d3',
    joined: true,
    memberCount: 12,
    entry: 'OPEN',
    isArchived: false,
    request: null,
    isInvited: false,
    requestReason: null,
    consent: null,
    ...changes,
  };
}

export function newAuthor(changes: object = {}) {
  return {
    _id: uuid(),
    userName: 'meera_nair',
    firstName: 'Meera',
    lastName: 'Nair',
    realProfilePicUrl: null,
    profileDesc: '',
    ...changes,
  };
}

export function newScore(changes: object = {}) {
  return {
    _id: uuid(),
    scope: 'world',
    rank: 1,
    score: 3,
    reputations: 2,
    commitments: 1,
    questionsAsked: 0,
    questionsAnswered: 0,
    answersAccepted: 0,
    student: newAuthor(),
    ...changes,
  };
}

export function newQuestion(changes: object = {}) {
  return {
    _id: uuid(),
    title: 'Why is the sky blue?',
    createdAt: '2026-11-20T08:00:00.000Z',
    answerCount: 2,
    acceptedAnswer: null,
    subject: { _id: uuid(), subjectName: 'Physics', color: '1a73c4' },
    topic: { _id: uuid(), topicName: 'Optics' },
    author: newAuthor(),
    ...changes,
  };
}
