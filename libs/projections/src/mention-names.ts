import { cutText, formatMentions, mentionedStudentIds } from '@nimo/domain';
import { EXCERPT_LENGTH } from '@nimo/rich-text';

/** By the id of who is mentioned: the user name, null where it is unknown or erased. */
export type MentionNames = Readonly<Record<string, string | null>>;

/** In SQL: the names of those whom a comment mentions, null where it mentions nobody. @param ids a column of ids */
export const namesOfMentioned = (ids: string): string => `
  (select json_object_agg(m.id, n.user_name) from unnest(${ids}) m(id)
   left join read.students n on n.student_id = m.id)`;

const shownAs = (name: string | null | undefined): string => name ?? '…';

/**
 * The body of a comment with names for the ids of its mentions: a name that is unknown or erased reads as an ellipsis. Everything else
 * in it, whatever it looks like, is what somebody typed.
 */
export const withNames = (body: string, names: MentionNames): string =>
  formatMentions(body, (id, written) => (id in names ? `@[${shownAs(names[id])}]` : written));

/** The same as plain words: `@name`. */
export const withPlainNames = (body: string, names: MentionNames): string =>
  formatMentions(body, (id, written) => (id in names ? `@${shownAs(names[id])}` : written));

/** The first words of a comment, which is text and not HTML. Cut after the names are in: no mention is cut into an id. */
export function commentExcerptOf(body: string, names: MentionNames): string {
  const text = withPlainNames(body, names);
  const excerpt = cutText(text, EXCERPT_LENGTH);
  return excerpt === text ? text : `${excerpt.trimEnd()}…`;
}

/** As they stand in the body of `withNames`, each once: they tell mentions from words that look like one. */
export const mentionsOf = (body: string, names: MentionNames): readonly string[] => [
  ...new Set(
    mentionedStudentIds(body)
      .filter((id) => id in names)
      .map((id) => shownAs(names[id])),
  ),
];
