import type { AccessRule } from '../../apps/api/src/platform/auth/access.js';

/** What a role gets of an operation: it is carried out, or the code that it is refused with. */
export type Ruling = 'yes' | 'sign in' | 'no' | 'not found' | 'conflict' | 'invalid';

export type OperationKind = 'Query' | 'Mutation' | 'Subscription';

export interface PermissionRow {
  readonly kind: OperationKind;
  readonly operation: string;
  readonly rule: string;
  readonly rulings: readonly string[];
}

/** A field of an answer that not all see who may ask for it. */
export interface SightRow {
  readonly kind: 'Field';
  readonly operation: string;
  readonly rulings: readonly Ruling[];
}

const CODES: Readonly<Record<string, Ruling>> = {
  UNAUTHENTICATED: 'sign in',
  FORBIDDEN: 'no',
  NOT_FOUND: 'not found',
  CONFLICT: 'conflict',
  VALIDATION_FAILED: 'invalid',
};

/** @throws {Error} where the code is none that a caller should meet */
export function rulingOf(code: string | undefined): Ruling {
  const ruling = code === undefined ? 'yes' : CODES[code];
  if (ruling === undefined) throw new Error(`${code} is no answer to a question of permission`);
  return ruling;
}

export function ruleText(rule: AccessRule | undefined): string {
  if (rule === undefined) throw new Error('an operation has no rule');
  if (rule.kind === 'public') return 'anyone';
  return rule.kind === 'signed-in' ? 'signed in' : rule.roles.join(', ').toLowerCase();
}

/** An operation may be a query and a mutation of one name. */
export const keyOf = (kind: string, operation: string): string => `${kind}.${operation}`;

const HEADS: Readonly<Record<OperationKind, string>> = {
  Query: 'Queries',
  Mutation: 'Mutations',
  Subscription: 'Subscriptions',
};
const FIELDS = 'Fields';

const rowOf = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** The tables of `docs/permissions.md`, in Markdown; `columns` are the roles. */
export function permissionTables(
  columns: readonly string[],
  rows: readonly PermissionRow[],
  fields: readonly SightRow[],
): string {
  const byName = (one: { operation: string }, other: { operation: string }) =>
    one.operation < other.operation ? -1 : 1;
  const operations = Object.entries(HEADS).map(([kind, head]) =>
    table(
      head,
      ['Operation', 'Rule', ...columns],
      rows
        .filter((row) => row.kind === kind)
        .sort(byName)
        .map(({ operation, rule, rulings }) => [`\`${operation}\``, rule, ...rulings]),
    ),
  );
  const sights = fields.toSorted(byName).map(({ operation, rulings }) => [`\`${operation}\``, ...rulings]);
  return [...operations, table(FIELDS, ['Field', ...columns], sights)].join('\n\n');
}

function table(head: string, titles: readonly string[], rows: readonly (readonly string[])[]): string {
  return [`## ${head}`, '', rowOf(titles), rowOf(titles.map(() => '---')), ...rows.map(rowOf)].join('\n');
}

const kindOf = (head: string): string | undefined =>
  head === FIELDS ? 'Field' : Object.entries(HEADS).find(([, known]) => known === head)?.[0];

/** What the tables of a document say, by kind and operation: the cells behind its name. */
export function readPermissionTables(markdown: string): ReadonlyMap<string, readonly string[]> {
  const rows = new Map<string, readonly string[]>();
  let kind: string | undefined;
  for (const line of markdown.split('\n')) {
    if (line.startsWith('## ')) kind = kindOf(line.slice(3));
    const [, operation, rest] = /^\| `([\w.]+)`\s*\|(.*)\|$/.exec(line) ?? [];
    if (kind === undefined || operation === undefined || rest === undefined) continue;
    rows.set(
      keyOf(kind, operation),
      rest.split('|').map((cell) => cell.trim()),
    );
  }
  return rows;
}
