const MENTION = /@\[([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\]/gi;

/** A mention as it is stored: by id, so that it follows a rename and forgets an erased student. */
export const mention = (studentId: string): string => `@[${studentId}]`;

/** Who is mentioned, each once, in order of appearance. */
export const mentionedStudentIds = (body: string): string[] => [
  ...new Set([...body.matchAll(MENTION)].map(([, id]) => (id ?? '').toLowerCase())),
];

/** The body with each stored mention replaced by what `show` makes of the id. */
export const formatMentions = (body: string, show: (studentId: string) => string): string =>
  body.replace(MENTION, (_, id: string) => show(id.toLowerCase()));
