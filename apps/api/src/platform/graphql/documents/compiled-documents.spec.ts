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
import { CompiledDocuments, outermostNull, type ExecutionRequest } from './compiled-documents.js';

const TEXTS = Object.values(WEB_DOCUMENTS);
const SEEDS = [1, 2, 3];

/** A seeded pseudo-random generator. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return (state >>> 0) / 2 ** 32;
  };
}

/** A random value of a type: null, lists of any length, and occasionally an error or an illegal null. */
function randomValue(
  schema: GraphQLSchema,
  type: GraphQLOutputType,
  random: () => number,
  faults: number,
  depth = 0,
): unknown {
  if (random() < faults / 3) return new GraphQLError(`fault ${random()}`, { extensions: { code: 'FAULT' } });
  if (isNonNullType(type)) {
    return random() < faults / 9 ? null : randomObject(schema, type.ofType, random, faults, depth);
  }
  return random() < 0.1 && depth > 0 ? null : randomObject(schema, type, random, faults, depth);
}

function randomObject(
  schema: GraphQLSchema,
  type: GraphQLOutputType,
  random: () => number,
  faults: number,
  depth: number,
): unknown {
  if (isListType(type)) {
    return Array.from({ length: Math.floor(random() * 3) }, () =>
      randomValue(schema, type.ofType, random, faults, depth + 1),
    );
  }
  const named = getNamedType(type);
  if (isAbstractType(named)) {
    const possible = schema.getPossibleTypes(named);
    const one = possible[Math.floor(random() * possible.length)];
    return one && randomObject(schema, one, random, faults, depth);
  }
  if (isObjectType(named)) {
    const seed = random() * 2 ** 31;
    const object = { __typename: named.name };
    // Lazy: eager values would recurse forever.
    for (const [index, [name, field]] of Object.entries(named.getFields()).entries()) {
      const get = () => {
        const value = randomValue(schema, field.type, randomOf(seed + index * 7_919), faults, depth + 1);
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

/** Derived from the name, so that adding a field does not change another one's data. */
const numberOf = (name: string): number =>
  [...name].reduce((sum, letter) => sum * 31 + (letter.codePointAt(0) ?? 0), 7) % 9_973;

/** A schema whose root fields and some others have resolvers that return, reject or resolve later. */
function schemaAnswering(seed: number, faults: number, isLate = faults === 0): GraphQLSchema {
  const schema = buildSchema(readFileSync('apps/api/schema.graphql', 'utf8'));
  const roots: unknown[] = [schema.getQueryType(), schema.getMutationType()];
  const answering = (name: string, random: () => number, value: unknown): unknown => {
    if (random() < faults / 3) throw new GraphQLError(`fault of ${name}`, { extensions: { code: 'FAULT' } });
    // While a sibling's promise is pending, graphql-js leaves another field's rejection unhandled.
    return isLate && random() < 0.5 ? Promise.resolve(value) : value;
  };
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const [index, field] of Object.values(type.getFields()).entries()) {
      if (roots.includes(type)) {
        field.resolve = (_root, args) => {
          const random = randomOf(seed * 1_000 + numberOf(field.name) + JSON.stringify(args).length);
          return answering(field.name, random, randomValue(schema, field.type, random, faults));
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

function requestFor(schema: GraphQLSchema, text: string): ExecutionRequest {
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
  { document, variables, context }: ExecutionRequest,
): Promise<ExecutionResult> =>
  execute({ schema, document, variableValues: variables, contextValue: context });

/** The result as a client sees it; concurrent errors have no order. */
const shown = ({ data, errors = [] }: ExecutionResult): unknown => ({
  data: JSON.stringify(data),
  errors: errors.map((error) => JSON.stringify(error.toJSON())).toSorted(),
});

const placesOf = ({ data, errors = [] }: ExecutionResult): readonly string[] =>
  [...new Set(errors.map(({ path = [] }) => outermostNull(data, path)))].toSorted();

describe('a compiled document', () => {
  it('exists for every document of the web app', () => {
    expect(TEXTS.length).toBeGreaterThan(150);
  });

  it.each(SEEDS)('returns what graphql-js returns (seed %i)', async (seed) => {
    const schema = schemaAnswering(seed, 0);
    const compiled = new CompiledDocuments(schema, () => true);
    for (const text of TEXTS) {
      const request = requestFor(schema, text);
      expect(shown(await compiled.execute(request))).toEqual(shown(await walked(schema, request)));
    }
  });

  it.each(SEEDS)('propagates nulls and errors like graphql-js (seed %i)', async (seed) => {
    const schema = schemaAnswering(seed, 0.2);
    const compiled = new CompiledDocuments(schema, () => true);
    let faults = 0;
    for (const text of TEXTS) {
      const request = requestFor(schema, text);
      const [expected, received] = [await walked(schema, request), await compiled.execute(request)];
      faults += expected.errors?.length ?? 0;
      expect(JSON.stringify(received.data)).toBe(JSON.stringify(expected.data));
      expect(placesOf(received)).toEqual(placesOf(expected));
    }
    expect(faults).toBeGreaterThan(20);
  });

  it.each([
    ['in a root field', 'Query', 'getPaginatedQuestions'],
    ['in a list', 'Question', 'title'],
    ['in a nullable field', 'Author', 'realProfilePicUrl'],
    ['in a non-null field', 'Author', '_id'],
  ])('reports an error %s like graphql-js', async (_where, typeName, fieldName) => {
    const schema = schemaAnswering(1, 0, false);
    const type = schema.getType(typeName);
    const field = isObjectType(type) && type.getFields()[fieldName];
    if (!field) throw new Error(`unknown field ${typeName}.${fieldName}`);
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
      const request = requestFor(schema, text ?? '');
      const [expected, received] = [
        await walked(schema, request),
        await new CompiledDocuments(schema, () => true).execute(request),
      ];
      expect(expected.errors?.[0]?.originalError).toBe(thrown);
      expect(received.errors?.[0]?.originalError).toBe(thrown);
      expect(received.errors?.[0]).toBeInstanceOf(GraphQLError);
      expect(received.errors?.[0]?.extensions).toEqual(expected.errors?.[0]?.extensions);
      expect(received.errors?.[0]?.locations).toEqual(expected.errors?.[0]?.locations);
      expect(shown(received)).toEqual(shown(expected));
    }
  });

  it('leaves variable errors to graphql-js before any resolver runs', async () => {
    const schema = schemaAnswering(1, 0);
    let runs = 0;
    for (const field of Object.values(schema.getQueryType()?.getFields() ?? {}))
      field.resolve = () => {
        runs += 1;
      };
    const compiled = new CompiledDocuments(schema, () => true);
    for (const text of TEXTS.filter((one) => one.includes('query '))) {
      const request = requestFor(schema, text);
      if (Object.keys(request.variables ?? {}).length === 0) continue;
      const wrong = Object.fromEntries(
        Object.keys(request.variables ?? {}).map((name) => [name, { no: [1] }]),
      );
      const given = { ...request, variables: wrong };
      expect(shown(await compiled.execute(given))).toEqual(shown(await walked(schema, given)));
    }
    expect(runs).toBe(0);
  });

  it('is never created for an untrusted document', async () => {
    const schema = schemaAnswering(1, 0);
    const request = requestFor(schema, '{ getSpaces { _id } }');
    const compiled = new CompiledDocuments(schema, () => false);
    // Objects from graphql-js have no prototype.
    expect(Object.getPrototypeOf((await compiled.execute(request)).data)).toBeNull();
  });
});
