import {
  CONFIRM_LINK_TTL_MINUTES,
  CONTACT_CODE_TTL_MINUTES,
  type ContactKind,
  GUARDIAN_LINK_TTL_DAYS,
  RESET_LINK_TTL_MINUTES,
} from '@nimo/domain';
import type { Mail } from '../../platform/adapters/mail/mail-sender.js';

/** What is told of the second factor of an account. */
export type FactorNews =
  | { readonly kind: 'added' }
  | { readonly kind: 'removed' }
  | { readonly kind: 'recovery-code'; readonly left: number }
  | { readonly kind: 'reset'; readonly reason: string };

/** What became of a request to join a space, or of a guardian's consent. */
export type EntryOutcome = 'joined' | 'may join' | 'refused';

type Letter = Omit<Mail, 'to'>;

const HOUR = 60;
const hours = (minutes: number): string => {
  const count = minutes / HOUR;
  return count === 1 ? '1 hour' : `${count} hours`;
};

// Tokens stand behind the #, which no browser sends to a server or tells another page.
const confirmAddress = (origin: string, token: string): string => `${origin}/register#${token}`;
const resetAddress = (origin: string, token: string): string => `${origin}/forgot-password#${token}`;

export const confirmationLetter = (origin: string, token: string, userName: string): Letter => ({
  subject: 'Confirm your email for Nimo',
  text: `Welcome to Nimo, ${userName}!

Confirm your email address to finish setting up your account:
${confirmAddress(origin, token)}

The link is valid for ${hours(CONFIRM_LINK_TTL_MINUTES)}. If you did not register, ignore this email: no account is created without the link.`,
});

export const alreadyRegisteredLetter = (origin: string, userName: string): Letter => ({
  subject: 'You already have a Nimo account',
  text: `Someone tried to register at Nimo with this email address. You already have an account; your username is ${userName}.

Log in: ${origin}/login
Forgot your password? ${origin}/forgot-password

If that was not you, you do not need to do anything. Nothing has changed.`,
});

export const resetLetter = (origin: string, token: string, userName: string): Letter => ({
  subject: 'Set a new password for Nimo',
  text: `Hello ${userName},

Set a new password here:
${resetAddress(origin, token)}

The link is valid for ${hours(RESET_LINK_TTL_MINUTES)} and works once. If you did not ask for it, ignore this email. Your password stays the same.`,
});

/** Without a link: nobody is to learn to follow one. */
export const secondFactorLetter = (userName: string, news: FactorNews): Letter => ({
  subject: 'Your second factor for Nimo',
  text: `Hello ${userName},

${factorSentence(news)}

If that was not you, change your password and contact a maintainer.`,
});

function factorSentence(news: FactorNews): string {
  switch (news.kind) {
    case 'added':
      return 'A second factor was set up for your account.';
    case 'removed':
      return 'A second factor was removed from your account.';
    case 'recovery-code':
      return `Someone logged in or confirmed with one of your recovery codes. You have ${news.left} left.`;
    case 'reset':
      return `A maintainer reset your second factor and ended your sessions. Reason: ${news.reason}`;
  }
}

export const newPasswordLetter = (origin: string, userName: string): Letter => ({
  subject: 'Your Nimo password was changed',
  text: `Hello ${userName},

Your password was changed with a code sent to your phone. You have been logged out on all devices.

If that was not you, set a new password by email right away: ${origin}/forgot-password`,
});

interface GuardianQuestion {
  readonly origin: string;
  readonly token: string;
  readonly userName: string;
  readonly spaceName: string;
  readonly age: number;
}

/** To somebody who may never have heard of Nimo. */
export const guardianLetter = (asked: GuardianQuestion): Letter => ({
  subject: `${asked.userName} asks for your consent on Nimo`,
  text: `Hello,

A student with the username ${asked.userName} wants to join the space "${asked.spaceName}" on Nimo, a community where students ask and answer questions. The student says that they are under ${asked.age} and that you are their parent or guardian.

Read what it is about, then agree or refuse:
${asked.origin}/consent#${asked.token}

The link is valid for ${GUARDIAN_LINK_TTL_DAYS} days. Keep this email if you agree: you can withdraw your consent with the same link at any time. If you do not know the student, ignore this email or refuse with the link. Your address is deleted once you answer.`,
});

const ENTRY_SENTENCES: Readonly<Record<EntryOutcome, string>> = {
  joined: 'The moderators accepted your request. You are now a member.',
  'may join': 'You can now join the space. Open the Spaces page on Nimo and choose it.',
  refused: 'The moderators did not accept your request. What they wrote is on the Spaces page on Nimo.',
};

interface EntryAnswer {
  readonly userName: string;
  readonly spaceName: string;
  readonly outcome: EntryOutcome;
}

/** Without a link, and without the reason: both are on the page of spaces. */
export const entryLetter = ({ userName, spaceName, outcome }: EntryAnswer): Letter => ({
  subject: `Joining ${spaceName} on Nimo`,
  text: `Hello ${userName},

${ENTRY_SENTENCES[outcome]}`,
});

const CONTACTS: Readonly<Record<ContactKind, string>> = { phone: 'mobile number', email: 'email address' };

interface Coded {
  readonly userName: string;
  readonly code: string;
}

export const newAddressLetter = ({ userName, code }: Coded): Letter => ({
  subject: 'Your code for Nimo',
  text: `Hello ${userName},

Enter this code in the settings to use this address for your Nimo account:

${code}

It is valid for ${CONTACT_CODE_TTL_MINUTES} minutes. If you did not ask for it, ignore this email: nothing changes without the code.`,
});

export const addressTakenLetter = (userName: string): Letter => ({
  subject: 'Your email address is already used on Nimo',
  text: `Hello ${userName},

Someone tried to use this address for another Nimo account. It already belongs to your account ${userName}, so nothing has changed.

If that was you, log in as ${userName}, or use another address for the other account.`,
});

export const ownContactLetter = ({ userName, code, to }: Coded & { readonly to: string }): Letter => ({
  subject: 'Confirm a change to your Nimo account',
  text: `Hello ${userName},

Someone who is logged in to your account wants to change to ${to}. If that is you, enter this code in the settings:

${code}

It is valid for ${CONTACT_CODE_TTL_MINUTES} minutes. If it is not you, change your password and log out everywhere else.`,
});

/** Without a link: nobody is to learn to follow one. */
export const contactChangedLetter = ({
  userName,
  contact,
}: {
  readonly userName: string;
  readonly contact: ContactKind;
}): Letter => ({
  subject: 'Your Nimo account was changed',
  text: `Hello ${userName},

The ${CONTACTS[contact]} of your account was changed.

If that was not you, contact a maintainer right away.`,
});
