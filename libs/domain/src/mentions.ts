import { userNameKey } from './validation/identity.js';

const MENTION = /@\[([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\]/gi;
const BY_NAME = /@\[([^[\]\n]{1,100})\]/g;

/** A mention as stored: by ID, so that it follows renames and no longer names an erased student. */
export const mention = (studentId: string): string => `@[${studentId}]`;

/** IDs without duplicates, in order of appearance. */
export const mentionedStudentIds = (body: string): string[] => [
  ...new Set([...body.matchAll(MENTION)].map(([, id]) => (id ?? '').toLowerCase())),
];

/** Keys of possible user names in `@[…]`, without duplicates. */
export const namesMentioned = (body: string): string[] => [
  ...new Set([...body.matchAll(BY_NAME)].map(([, name]) => userNameKey(name ?? ''))),
];

/** Replaces each stored mention with the result of `show`, which gets the ID and the mention as written. */
export const formatMentions = (body: string, show: (studentId: string, written: string) => string): string =>
  body.replace(MENTION, (written, id: string) => show(id.toLowerCase(), written));

/** Replaces `@[name]` with a stored mention if the name is known. Unknown names stay as text. */
export const mentionsById = (body: string, idsByName: ReadonlyMap<string, string>): string =>
  body.replace(BY_NAME, (written, name: string) => {
    const studentId = idsByName.get(userNameKey(name));
    return studentId === undefined ? written : mention(studentId);
  });
