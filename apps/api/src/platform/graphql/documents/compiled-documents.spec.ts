import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import {
  buildSchema,
  execute,
  getNamedType,
  getOperationAST,
  GraphQLError,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  parse,
  type ExecutionResult,
  type GraphQLInputType,
  type GraphQLOutputType,
  type GraphQLSchema,
  valueFromASTUntyped,
  typeFromAST,
} from 'graphql';
import { WEB_DOCUMENTS } from '../../../generated/web-documents.js';
import { CompiledDocuments, placeOfNull, type Asked } from './compiled-documents.js';

const TEXTS = Object.values(WEB_DOCUMENTS);
const SEEDS = [1, 2, 3];

/** The same numbers for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return (state >>> 0) / 2 ** 32;
  };
}

/** Some value of a type: nothing, lists of none and more, and now and then an error in its place or nothing where something must be. */
function someOf(
  schema: GraphQLSchema,
  type: GraphQLOutputType,
  random: () => number,
  faults: number,
  depth = 0,
): unknown {
  if (random() < faults / 3) return new GraphQLError(`fault ${random()}`, { extensions: { code: 'FAULT' } });
  if (isNonNullType(type)) {
    return random() < faults / 9 ? null : someThing(schema, type.ofType, random, faults, depth);
  }
  return random() < 0.1 && depth > 0 ? null : someThing(schema, type, random, faults, depth);
}

function someThing(
  schema: GraphQLSchema,
  type: GraphQLOutputType,
  random: () => number,
  faults: number,
  depth: number,
): unknown {
  if (isListType(type)) {
    return Array.from({ length: Math.floor(random() * 3) }, () =>
      someOf(schema, type.ofType, random, faults, depth + 1),
    );
  }
  const named = getNamedType(type);
  if (isAbstractType(named)) {
    const possible = schema.getPossibleTypes(named);
    const one = possible[Math.floor(random() * possible.length)];
    return one && someThing(schema, one, random, faults, depth);
  }
  if (isObjectType(named)) {
    const seed = random() * 2 ** 31;
    const object = { __typename: named.name };
    // Made when it is read: with all that nobody asks for, it would have no end.
    for (const [index, [name, field]] of Object.entries(named.getFields()).entries()) {
      const get = () => {
        const value = someOf(schema, field.type, randomOf(seed + index * 7_919), faults, depth + 1);
        Object.defineProperty(object, name, { value });
        return value;
      };
      Object.defineProperty(object, name, { get, configurable: true });
    }
    return object;
  }
  if (isEnumType(named)) return named.getValues()[0]?.value;
  switch (named.name) {
    case 'Int':
      return Math.floor(random() * 100);
    case 'Float':
      return random() * 100;
    case 'Boolean':
      return random() < 0.5;
    default:
      return `text ${random()}`;
  }
}

/** The fields of the first level answer by themselves, and some of the others, at once or later, or not at all. */
/** By its name, so that a field that is added elsewhere changes no other one's data. */
const numberOf = (name: string): number =>
  [...name].reduce((sum, letter) => sum * 31 + (letter.codePointAt(0) ?? 0), 7) % 9_973;

function schemaAnswering(seed: number, faults: number, isLate = faults === 0): GraphQLSchema {
  const schema = buildSchema(readFileSync('apps/api/schema.graphql', 'utf8'));
  const roots: unknown[] = [schema.getQueryType(), schema.getMutationType()];
  const answering = (name: string, random: () => number, value: unknown): unknown => {
    if (random() < faults / 3) throw new GraphQLError(`fault of ${name}`, { extensions: { code: 'FAULT' } });
    // Beside a promise that is on its way, graphql-js leaves what another field throws to the process.
    return isLate && random() < 0.5 ? Promise.resolve(value) : value;
  };
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const [index, field] of Object.values(type.getFields()).entries()) {
      if (roots.includes(type)) {
        field.resolve = (_root, args) => {
          const random = randomOf(seed * 1_000 + numberOf(field.name) + JSON.stringify(args).length);
          return answering(field.name, random, someOf(schema, field.type, random, faults));
        };
      } else if (index % 5 === 4) {
        field.resolve = (parent: Record<string, unknown>) =>
          answering(field.name, randomOf(seed + numberOf(field.name)), parent[field.name]);
      }
    }
  }
  return schema;
}

function inputOf(type: GraphQLInputType): unknown {
  if (isNonNullType(type)) return inputOf(type.ofType);
  if (isListType(type)) return [inputOf(type.ofType)];
  if (isEnumType(type)) return type.getValues()[0]?.name;
  if (isInputObjectType(type)) {
    return Object.fromEntries(
      Object.entries(type.getFields()).map(([name, field]) => [name, inputOf(field.type)]),
    );
  }
  return (
    { Int: 3, Float: 1.5, Boolean: true, Phone: '4915112345678', DateTime: '2026-01-01T00:00:00.000Z' }[
      (type as { name: string }).name
    ] ?? 'given'
  );
}

function askedBy(schema: GraphQLSchema, text: string): Asked {
  const document = parse(text);
  const operation = getOperationAST(document) ?? undefined;
  const variables = Object.fromEntries(
    (operation?.variableDefinitions ?? []).map(({ variable, type, defaultValue }) => [
      variable.name.value,
      defaultValue
        ? valueFromASTUntyped(defaultValue)
        : inputOf(typeFromAST(schema, type as never) as GraphQLInputType),
    ]),
  );
  return { document, operation, operationName: operation?.name?.value, variables, context: {} };
}

const walked = async (
  schema: GraphQLSchema,
  { document, variables, context }: Asked,
): Promise<ExecutionResult> =>
  execute({ schema, document, variableValues: variables, contextValue: context });

/** As a client sees it; faults that happen at the same time have no order. */
const shown = ({ data, errors = [] }: ExecutionResult): unknown => ({
  data: JSON.stringify(data),
  errors: errors.map((error) => JSON.stringify(error.toJSON())).toSorted(),
});

const placesOf = ({ data, errors = [] }: ExecutionResult): readonly string[] =>
  [...new Set(errors.map(({ path = [] }) => placeOfNull(data, path)))].toSorted();

describe('a compiled document', () => {
  it('is each of the web app', () => {
    expect(TEXTS.length).toBeGreaterThan(150);
  });

  it.each(SEEDS)('answers as graphql-js does (data %i)', async (seed) => {
    const schema = schemaAnswering(seed, 0);
    const compiled = new CompiledDocuments(schema, () => true);
    for (const text of TEXTS) {
      const asked = askedBy(schema, text);
      expect(shown(await compiled.answer(asked))).toEqual(shown(await walked(schema, asked)));
    }
  });

  it.each(SEEDS)(
    'has nothing in the same places for the same reasons, where much is missing (data %i)',
    async (seed) => {
      const schema = schemaAnswering(seed, 0.2);
      const compiled = new CompiledDocuments(schema, () => true);
      let faults = 0;
      for (const text of TEXTS) {
        const asked = askedBy(schema, text);
        const [expected, received] = [await walked(schema, asked), await compiled.answer(asked)];
        faults += expected.errors?.length ?? 0;
        expect(JSON.stringify(received.data)).toBe(JSON.stringify(expected.data));
        expect(placesOf(received)).toEqual(placesOf(expected));
      }
      expect(faults).toBeGreaterThan(20);
    },
  );

  it.each([
    ['at the first level', 'Query', 'getPaginatedQuestions'],
    ['in a list', 'Question', 'title'],
    ['where there may be nothing', 'Author', 'realProfilePicUrl'],
    ['below what cannot be empty', 'Author', '_id'],
  ])('tells an error %s as graphql-js does', async (_where, typeName, fieldName) => {
    const schema = schemaAnswering(1, 0, false);
    const type = schema.getType(typeName);
    const field = isObjectType(type) && type.getFields()[fieldName];
    if (!field) throw new Error('there is no such field');
    const extended = new GraphQLError('refused', { extensions: { code: 'FORBIDDEN', rule: 'NOT_YOURS' } });
    const plain = new RangeError('refused');
    for (const [thrown, resolve] of [extended, plain].flatMap((cause) => [
      [cause, () => Promise.reject(cause)] as const,
      [
        cause,
        () => {
          throw cause;
        },
      ] as const,
    ])) {
      field.resolve = resolve;
      const text = TEXTS.find((one) => one.includes('query QuestionList('));
      const asked = askedBy(schema, text ?? '');
      const [expected, received] = [
        await walked(schema, asked),
        await new CompiledDocuments(schema, () => true).answer(asked),
      ];
      expect(expected.errors?.[0]?.originalError).toBe(thrown);
      expect(received.errors?.[0]?.originalError).toBe(thrown);
      expect(received.errors?.[0]).toBeInstanceOf(GraphQLError);
      expect(received.errors?.[0]?.extensions).toEqual(expected.errors?.[0]?.extensions);
      expect(received.errors?.[0]?.locations).toEqual(expected.errors?.[0]?.locations);
      expect(shown(received)).toEqual(shown(expected));
    }
  });

  it('leaves it to graphql-js to say what is wrong with variables, before anything has run', async () => {
    const schema = schemaAnswering(1, 0);
    let runs = 0;
    for (const field of Object.values(schema.getQueryType()?.getFields() ?? {}))
      field.resolve = () => {
        runs += 1;
      };
    const compiled = new CompiledDocuments(schema, () => true);
    for (const text of TEXTS.filter((one) => one.includes('query '))) {
      const asked = askedBy(schema, text);
      if (Object.keys(asked.variables ?? {}).length === 0) continue;
      const wrong = Object.fromEntries(Object.keys(asked.variables ?? {}).map((name) => [name, { no: [1] }]));
      const given = { ...asked, variables: wrong };
      expect(shown(await compiled.answer(given))).toEqual(shown(await walked(schema, given)));
    }
    expect(runs).toBe(0);
  });

  it('is never made of what somebody else wrote', async () => {
    const schema = schemaAnswering(1, 0);
    const asked = askedBy(schema, '{ getSpaces { _id } }');
    const compiled = new CompiledDocuments(schema, () => false);
    // What walking makes has no prototype.
    expect(Object.getPrototypeOf((await compiled.answer(asked)).data)).toBeNull();
  });
});
