import { Kind, parse, type GraphQLField, type GraphQLSchema } from 'graphql';
import { untrustedDocumentCost } from '../../apps/api/src/platform/graphql/documents/foreign-documents.js';
import type { RateLimit } from '../../apps/api/src/platform/rate-limit/limits.js';
import type { Role } from '@nimo/domain';
import type { OperationValues } from '../operations.js';
import { REFERENCE_AREAS } from './reference-areas.js';
import { selectionOf } from './selections.js';

export type OperationKind = 'Query' | 'Mutation' | 'Subscription';

export interface ReferenceEntry {
  readonly schema: GraphQLSchema;
  readonly kind: OperationKind;
  readonly field: GraphQLField<unknown, unknown>;
  /** Who may call it, as `docs/permissions.md` says it. */
  readonly rule: string;
  /** Name of the page that tells of it. */
  readonly area: string;
  /** As whom the example is sent, where that is not a member. */
  readonly sentAs: Role | undefined;
  readonly limit: RateLimit | undefined;
  readonly values: OperationValues;
}

const HEADINGS: Readonly<Record<OperationKind, string>> = {
  Query: 'Queries',
  Mutation: 'Mutations',
  Subscription: 'Subscriptions',
};

/** The document of an example: as a client would send it, with what lies two objects deep; less where that costs more than one may ask for. */
export function exampleOf(entry: ReferenceEntry): string {
  const [whole, short] = [documentOf(entry, 1), documentOf(entry, 0)];
  const [operation] = parse(whole).definitions;
  if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new TypeError(`no operation: ${whole}`);
  try {
    untrustedDocumentCost(entry.schema, parse(whole), operation, entry.values);
    return whole;
  } catch {
    return short;
  }
}

function documentOf({ kind, field, values }: ReferenceEntry, depth: number): string {
  const given = field.args.filter(({ name }) => name in values);
  const declared = given.map(({ name, type }) => `$${name}: ${String(type)}`).join(', ');
  const passed = given.map(({ name }) => `${name}: $${name}`).join(', ');
  const head = `${kind.toLowerCase()}${declared === '' ? '' : `(${declared})`}`;
  return `${head} { ${field.name}${passed === '' ? '' : `(${passed})`}${selectionOf(field, depth)} }`;
}

/** A page an area, by its name: what a client needs to know of every operation, by kind and name. */
export function referencePages(entries: readonly ReferenceEntry[]): ReadonlyMap<string, string> {
  return new Map(
    REFERENCE_AREAS.map(({ name, title, about }) => {
      const parts = partsOf(entries, name).map(([kind, ofKind]) =>
        [`## ${HEADINGS[kind]}`, ...ofKind.map(operationPart)].join('\n\n'),
      );
      const head = `# ${title}\n\n${about} Part of the [API reference](../reference.md). Made by \`npm run api-reference\`.`;
      return [name, `${[head, ...parts].join('\n\n')}\n`];
    }),
  );
}

/** The areas, and what is in each. */
export function referenceIndex(entries: readonly ReferenceEntry[]): string {
  const parts = REFERENCE_AREAS.map(({ name, title, about }) => {
    const rows = partsOf(entries, name).flatMap(([kind, ofKind]) =>
      ofKind.map((entry) => {
        const link = `[\`${entry.field.name}\`](reference/${name}.md#${anchorOf(entry)})`;
        return `| ${link} | ${kind.toLowerCase()} | ${entry.rule} |`;
      }),
    );
    const table = ['| Operation | | Caller |', '| --- | --- | --- |', ...rows].join('\n');
    return `### [${title}](reference/${name}.md)\n\n${about}\n\n${table}`;
  });
  return `## Operations by area\n\n${parts.join('\n\n')}\n`;
}

type Part = readonly [OperationKind, readonly ReferenceEntry[]];

const partsOf = (entries: readonly ReferenceEntry[], area: string): readonly Part[] =>
  (Object.keys(HEADINGS) as OperationKind[])
    .map((kind): Part => {
      const ofKind = entries.filter((entry) => entry.kind === kind && entry.area === area);
      return [kind, ofKind.toSorted((one, other) => (one.field.name < other.field.name ? -1 : 1))];
    })
    .filter(([, ofKind]) => ofKind.length > 0);

/** `login` is a query and a mutation, which stand on one page. */
const headingOf = ({ kind, field }: ReferenceEntry): string =>
  `${field.name}${kind === 'Query' || field.name !== 'login' ? '' : ' (mutation)'}`;

const anchorOf = (entry: ReferenceEntry): string =>
  headingOf(entry).toLowerCase().replace(/[()]/g, '').replaceAll(' ', '-');

function operationPart(entry: ReferenceEntry): string {
  const { field, rule, limit, values, sentAs } = entry;
  const lines = [`### ${headingOf(entry)}`, ''];
  lines.push(oneLine(field.description), '', `- **Caller**: ${rule}`);
  if (limit) lines.push(`- **Limit**: ${limitText(limit)}`);
  lines.push(`- **Answer**: \`${String(field.type)}\``);
  if (sentAs) lines.push(`- **Example**: sent by a ${sentAs.toLowerCase()} with a second factor`);
  if (field.deprecationReason) lines.push(`- **Deprecated**: ${oneLine(field.deprecationReason)}`);
  if (field.args.length > 0) {
    lines.push('', '| Argument | Type | |', '| --- | --- | --- |');
    for (const { name, type, description } of field.args)
      lines.push(`| \`${name}\` | \`${String(type)}\` | ${oneLine(description)} |`);
  }
  lines.push('', '```graphql', exampleOf(entry), '```');
  if (Object.keys(values).length > 0) lines.push('', '```json', JSON.stringify(values), '```');
  return lines.join('\n');
}

function limitText({ max, seconds, code }: RateLimit): string {
  const window = seconds % 3600 === 0 ? `${seconds / 3600} h` : `${seconds / 60} min`;
  return `${max.toLocaleString('en')} in ${window}, then \`${code}\``;
}

const oneLine = (text: string | null | undefined): string =>
  (text ?? '').replace(/\s+/g, ' ').replaceAll('|', '\\|').trim();
