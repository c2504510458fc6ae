import type { AccessRule } from '../../apps/api/src/platform/auth/access.js';

/** Outcome of an operation for a role: `yes`, or the error it gets. */
export type Ruling = 'yes' | 'sign in' | 'no' | 'not found' | 'conflict' | 'invalid';

export type OperationKind = 'Query' | 'Mutation' | 'Subscription';

export interface PermissionRow {
  readonly kind: OperationKind;
  readonly operation: string;
  readonly rule: string;
  readonly rulings: readonly string[];
}

/** A field that not all callers of its operation can see. */
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

/** @throws {Error} if callers should never get the code */
export function rulingOf(code: string | undefined): Ruling {
  const ruling = code === undefined ? 'yes' : CODES[code];
  if (ruling === undefined) throw new Error(`${code} is not an authorization outcome`);
  return ruling;
}

export function ruleText(rule: AccessRule | undefined): string {
  if (rule === undefined) throw new Error('an operation has no rule');
  if (rule.kind === 'public') return 'anyone';
  return rule.kind === 'signed-in' ? 'signed in' : rule.roles.join(', ').toLowerCase();
}

/** Includes the kind, as a query and a mutation may share a name. */
export const keyOf = (kind: string, operation: string): string => `${kind}.${operation}`;

const HEADS: Readonly<Record<OperationKind, string>> = {
  Query: 'Queries',
  Mutation: 'Mutations',
  Subscription: 'Subscriptions',
};
const FIELDS = 'Fields';

const rowOf = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** Markdown tables of `docs/permissions.md`; `columns` are the roles. */
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

/** Parses the tables of a document. @returns the cells after the name, by kind and operation */
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
