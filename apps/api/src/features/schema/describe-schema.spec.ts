import { readFileSync } from 'node:fs';
import {
  buildSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isSpecifiedScalarType,
  isUnionType,
  printSchema,
} from 'graphql';
import { describeSchema, GLOSSARY, type Glossary } from './describe-schema.js';

const published = buildSchema(readFileSync('apps/api/schema.graphql', 'utf8'));

interface Element {
  /** Key format of the glossary: `Type`, `Type.field`, `operation(argument)`, `Enum.VALUE`. */
  readonly path: string;
  readonly name: string;
  readonly description: string | null | undefined;
  readonly deprecationReason?: string | null | undefined;
  /** Glossary entries its description may come from. */
  readonly entries: readonly (readonly [keyof Glossary, string])[];
}

function* elements(): Generator<Element> {
  for (const type of Object.values(published.getTypeMap())) {
    const { name } = type;
    if (name.startsWith('__') || isSpecifiedScalarType(type)) continue;
    yield { path: name, name, description: type.description, entries: [['types', name]] };
    if (isEnumType(type))
      for (const value of type.getValues()) {
        const path = `${name}.${value.name}`;
        const { description, deprecationReason } = value;
        yield { path, name: value.name, description, deprecationReason, entries: [['values', path]] };
      }
    if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      const path = `${name}.${field.name}`;
      const common = `${field.name}: ${String(field.type)}`;
      yield {
        path,
        name: field.name,
        description: field.description,
        deprecationReason: field.deprecationReason,
        entries: [
          ['fields', path],
          ['commonFields', common],
        ],
      };
      for (const argument of 'args' in field ? field.args : []) {
        const own = `${field.name}(${argument.name})`;
        yield {
          path: own,
          name: argument.name,
          description: argument.description,
          deprecationReason: argument.deprecationReason,
          entries: [
            ['arguments', own],
            ['commonArguments', `${argument.name}: ${String(argument.type)}`],
          ],
        };
      }
    }
  }
}

const letters = (text: string): string => text.toLowerCase().replace(/[^a-z]/g, '');

describe('the published schema', () => {
  it('describes every type, field, argument, input and value', () => {
    const undescribed = Array.from(elements()).filter(({ description }) => !description?.trim());
    expect(undescribed.map(({ path }) => path)).toEqual([]);
  });

  it('has no description that only repeats the name', () => {
    const empty = Array.from(elements()).filter(
      ({ name, description }) => letters(description ?? '').replace(/^(the|an?|its)/, '') === letters(name),
    );
    expect(empty.map(({ path }) => path)).toEqual([]);
  });

  it('dates every deprecation and its earliest removal', () => {
    const undated = Array.from(elements()).filter(
      ({ deprecationReason }) =>
        deprecationReason != null &&
        !/^Deprecated since \d{4}-\d{2}-\d{2}\. Will not be removed before \d{4}-\d{2}-\d{2}\. \S/.test(
          deprecationReason,
        ),
    );
    expect(undated.map(({ path }) => path)).toEqual([]);
  });

  it('gives union members no conflicting fields, except deprecated ones', () => {
    const conflicts = Object.values(published.getTypeMap())
      .filter(isUnionType)
      .flatMap((union) => {
        const typesOf = new Map<string, Set<string>>();
        for (const member of union.getTypes())
          for (const { name, type, deprecationReason } of Object.values(member.getFields()))
            if (deprecationReason == null)
              typesOf.set(name, (typesOf.get(name) ?? new Set()).add(String(type)));
        return [...typesOf].filter(([, types]) => types.size > 1).map(([name]) => `${union.name}: ${name}`);
      });
    expect(conflicts).toEqual([]);
  });

  it('has interfaces for nodes, posts and pages', () => {
    const implementing = (name: string) =>
      Object.values(published.getTypeMap())
        .filter(isObjectType)
        .filter((type) => type.getInterfaces().some((implemented) => implemented.name === name));
    const withIds = Object.values(published.getTypeMap())
      .filter(isObjectType)
      .filter((type) => String(type.getFields()['_id']?.type) === 'ID!');
    expect(implementing('Node')).toEqual(withIds);
    expect(implementing('Post').map(({ name }) => name)).toEqual(['Answer', 'AnswerAsOf', 'Question']);
    const counted = Object.values(published.getTypeMap())
      .filter(isObjectType)
      .filter((type) => type.getFields()['totalPages']);
    expect(implementing('CountedPage')).toEqual(counted);
  });

  it('uses each entry of the glossary', () => {
    const used = new Set<string>();
    for (const { description, entries } of elements())
      for (const [part, key] of entries) if (GLOSSARY[part][key] === description) used.add(`${part} ${key}`);
    const unused = Object.entries(GLOSSARY).flatMap(([part, texts]) =>
      Object.keys(texts as Record<string, string>)
        .map((key) => `${part} ${key}`)
        .filter((entry) => !used.has(entry)),
    );
    expect(unused).toEqual([]);
  });
});

describe('the glossary', () => {
  const none = { types: {}, fields: {}, commonFields: {}, arguments: {}, commonArguments: {}, values: {} };

  it('describes by name and type without overriding more specific descriptions', () => {
    const schema = buildSchema(`
      type Query {
        plain(space: ID!): Int
        own(space: ID!): Int
        special("From code." space: ID!): Int
        optional(space: ID): Int
      }`);
    const printed = printSchema(
      describeSchema(schema, {
        ...none,
        commonArguments: { 'space: ID!': 'The space.' },
        arguments: { 'own(space)': 'Own text.' },
      }),
    );
    expect(printed.match(/The space\./g)).toHaveLength(1);
    expect(printed).toContain('Own text.');
    expect(printed).toContain('From code.');
  });
});
