import { CONTACT_CODE_TTL_MINUTES, type ContactKind } from '@nimo/domain';
import type { Letter } from './email-templates.js';

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
