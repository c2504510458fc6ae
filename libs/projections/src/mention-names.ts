import { truncateText, formatMentions, mentionedStudentIds } from '@nimo/domain';
import { EXCERPT_LENGTH } from '@nimo/rich-text';

/** Usernames by student ID; null if unknown or erased. */
export type MentionNames = Readonly<Record<string, string | null>>;

/** SQL for the `MentionNames` of a comment; null if it mentions no one. @param ids column of the mentioned IDs */
export const mentionNamesSql = (ids: string): string => `
  (select json_object_agg(m.id, n.user_name) from unnest(${ids}) m(id)
   left join read.students n on n.student_id = m.id)`;

const shownAs = (name: string | null | undefined): string => name ?? '…';

/** Replaces mentions in a comment with `@[name]`, and unknown and erased names with an ellipsis. Keeps all other text as typed. */
export const withNames = (body: string, names: MentionNames): string =>
  formatMentions(body, (id, written) => (id in names ? `@[${shownAs(names[id])}]` : written));

/** Like `withNames`, but as plain text: `@name`. */
export const withPlainNames = (body: string, names: MentionNames): string =>
  formatMentions(body, (id, written) => (id in names ? `@${shownAs(names[id])}` : written));

/** Plain-text excerpt of a comment. Inserts the names before cutting, so that no mention is cut to part of an ID. */
export function commentExcerptOf(body: string, names: MentionNames): string {
  const text = withPlainNames(body, names);
  const excerpt = truncateText(text, EXCERPT_LENGTH);
  return excerpt === text ? text : `${excerpt.trimEnd()}…`;
}

/** The distinct names that `withNames` inserts. Distinguishes mentions from text that looks like one. */
export const mentionsOf = (body: string, names: MentionNames): readonly string[] => [
  ...new Set(
    mentionedStudentIds(body)
      .filter((id) => id in names)
      .map((id) => shownAs(names[id])),
  ),
];
