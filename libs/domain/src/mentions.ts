import { userNameKey } from './validation/identity.js';

const MENTION = /@\[([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\]/gi;
const BY_NAME = /@\[([^[\]\n]{1,100})\]/g;

/** A mention as it is stored: by id, so that it follows a rename and forgets an erased student. */
export const mention = (studentId: string): string => `@[${studentId}]`;

/** Who is mentioned, each once, in order of appearance. */
export const mentionedStudentIds = (body: string): string[] => [
  ...new Set([...body.matchAll(MENTION)].map(([, id]) => (id ?? '').toLowerCase())),
];

/** What may be a user name in `@[…]`, each once as it is compared. */
export const namesMentioned = (body: string): string[] => [
  ...new Set([...body.matchAll(BY_NAME)].map(([, name]) => userNameKey(name ?? ''))),
];

/** The body with each stored mention replaced by what `show` makes of the id, or of how it was written. */
export const formatMentions = (body: string, show: (studentId: string, written: string) => string): string =>
  body.replace(MENTION, (written, id: string) => show(id.toLowerCase(), written));

/** The body as it is stored: `@[name]` by the id of whoever has that name. Other names are text and stay as they are. */
export const mentionsById = (body: string, idsByName: ReadonlyMap<string, string>): string =>
  body.replace(BY_NAME, (written, name: string) => {
    const studentId = idsByName.get(userNameKey(name));
    return studentId === undefined ? written : mention(studentId);
  });
