/** The body of a comment with names for the ids of its mentions. A name that is unknown or erased reads as an ellipsis: no id is shown. */
export const withNames = (body: string, names: Readonly<Record<string, string | null>>): string =>
  body.replace(/@\[([^\]]*)\]/g, (_, studentId: string) => `@[${names[studentId] ?? '…'}]`);
