import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import {
  buildSchema,
  getNamedType,
  getNullableType,
  getOperationAST,
  isListType,
  isObjectType,
  parse,
} from 'graphql';
import { knownWeightOf, weightOf, type Variables, type Weight } from './document-weight.js';
import {
  LARGER_PAGES,
  LIST_SIZES,
  LONG_TEXTS,
  OPERATION_COSTS,
  PAGE_ARGUMENTS,
  PAGE_LISTS,
} from './list-sizes.js';
import { overBudget } from './query-limits.rule.js';

const schema = buildSchema(readFileSync('apps/api/schema.graphql', 'utf8'));
const ID = '00000000-0000-4000-8000-000000000000';

function weigh(text: string, variables?: Variables): Weight {
  const document = parse(text);
  const operation = getOperationAST(document);
  if (!operation) throw new Error('there is no operation');
  return weightOf(schema, document, operation, variables);
}
const ruleOf = (text: string, variables?: Variables): unknown =>
  overBudget(weigh(text, variables))?.extensions['rule'];

const answers = (options: string, fields = '_id body'): string =>
  `getPaginatedAnswers(questions: ["${ID}"]${options}) { docs { ${fields} } }`;
const limited = (limit: number): string => answers(`, paginateOptions: { limit: ${limit} }`);
const aliased = (count: number, what: string): string =>
  Array.from({ length: count }, (_, n) => `a${n}: ${what}`).join(' ');

describe('the weight of a document', () => {
  it('is refused for twenty pages of the longest answers under as many aliases', () => {
    expect(ruleOf(`{ ${aliased(20, answers(''))} }`)).toBe('ANSWER_TOO_LARGE');
    expect(ruleOf(`{ ${answers('')} }`)).toBeUndefined();
  });

  it('grows by the limit of a page, however it is given', () => {
    const ten = weigh(`{ ${limited(10)} }`);
    expect(weigh(`{ ${limited(100)} }`).bytes / ten.bytes).toBeCloseTo(10, 0);
    const byNumber = `query ($limit: Int!) { ${answers(', paginateOptions: { limit: $limit }')} }`;
    const byOptions = `query ($options: PaginateOptions) { ${answers(', paginateOptions: $options')} }`;
    const byDefault = `query ($limit: Int = 10) { ${answers(', paginateOptions: { limit: $limit }')} }`;
    expect(weigh(byNumber, { limit: 10 })).toEqual(ten);
    expect(weigh(byOptions, { options: { limit: 10 } })).toEqual(ten);
    expect(weigh(byDefault)).toEqual(ten);
    expect(weigh(byDefault, { limit: 50 }).bytes).toBeGreaterThan(ten.bytes * 4);
    expect(weigh(`{ getUnsolvedQuestions(spaceId: "${ID}") { docs { _id body } } }`).bytes).toBeLessThan(
      ten.bytes * 1.1,
    );
  });

  it('is that of the largest page where the limit is none, and no more where the resolver refuses it', () => {
    const largest = weigh(`{ ${limited(100)} }`);
    for (const options of ['', ', paginateOptions: {}', ', paginateOptions: null']) {
      expect(weigh(`{ ${answers(options)} }`)).toEqual(largest);
    }
    expect(weigh(`{ ${limited(1_000_000)} }`)).toEqual(largest);
    expect(weigh(`{ ${limited(-5)} }`)).toEqual(weigh(`{ ${limited(1)} }`));
  });

  it('multiplies lists in lists, and counts a fragment as often as it is spread', () => {
    const comments = 'comments { _id body author { _id userName } }';
    const plain = weigh(`{ ${answers('', '_id')} }`);
    expect(weigh(`{ ${answers('', `_id ${comments}`)} }`).cost - plain.cost).toBeGreaterThan(100 * 5 * 5);
    const once = `fragment F on Answer { ${comments} }`;
    const one = weigh(`{ ${answers('', '...F')} } ${once}`).cost;
    const two = weigh(`{ ${answers('', '...F x: question { _id } ...F')} } ${once}`).cost;
    expect(two).toBeGreaterThan(one * 1.8);
    const asMember = weigh(
      `{ getPaginatedStudentActivities(space: "${ID}") { docs { data { ... on ActivityQuestion { _id body } } } } }`,
    );
    expect(asMember.cost).toBeGreaterThan(300);
  });

  it('counts what an operation costs besides its fields', () => {
    const logIns = (count: number): string =>
      `{ ${aliased(count, 'login(password: "x", userName: "y") { error }')} }`;
    expect(ruleOf(logIns(2))).toBeUndefined();
    expect(ruleOf(logIns(10))).toBe('QUERY_TOO_COSTLY');
    const searches = aliased(15, `searchAnswers(search: "x", space: "${ID}") { hits { _id } }`);
    expect(ruleOf(`{ ${searches} }`)).toBe('QUERY_TOO_COSTLY');
  });

  it('ends for fragments that spread each other twice, and for a cycle', () => {
    const twice = Array.from(
      { length: 60 },
      (_, n) => `fragment F${n} on Query { ...F${n + 1} ...F${n + 1} }`,
    );
    const doubled = weigh(`{ ...F0 } ${twice.join(' ')} fragment F60 on Query { getSpaces { _id } }`);
    expect(doubled.cost).toBeGreaterThan(2 ** 60);
    expect(weigh('{ ...F } fragment F on Query { ...G } fragment G on Query { ...F }').cost).toBe(0);
  });
});

describe('the weight of a document that was weighed before', () => {
  /** What it weighs, and whether it was weighed anew for each of them. */
  function weighAll(text: string, given: readonly Variables[]) {
    const document = parse(text);
    const operation = getOperationAST(document);
    if (!operation) throw new Error('there is no operation');
    const weights = given.map((variables) => knownWeightOf(schema, document, operation, variables));
    expect(weights).toEqual(given.map((variables) => weightOf(schema, document, operation, variables)));
    return { weights, isKnown: new Set(weights).size === 1 };
  }

  it('is known where no variable changes it', () => {
    const byId =
      'mutation ($id: ID!) { upvoteQuestion(questionId: $id) { question { ...V } } } fragment V on Question { _id }';
    expect(weighAll(byId, [{ id: ID }, { id: 'other' }]).isKnown).toBe(true);
    expect(weighAll(`{ ${limited(7)} }`, [{}, {}]).isKnown).toBe(true);
  });

  it('tells a size that is not given from one that is null', () => {
    const byDefault = `query ($limit: Int = 2) { ${answers(', paginateOptions: { limit: $limit }')} }`;
    const { weights } = weighAll(byDefault, [{}, { limit: null }, { limit: 2 }, { limit: null }, {}]);
    expect(weights[1]?.bytes).toBeGreaterThan((weights[0]?.bytes ?? Infinity) * 10);
  });

  it('is found anew where one does, in a fragment and in an option, too', () => {
    const sizes = [{ size: 1 }, { size: 50 }];
    const byOption = answers(', paginateOptions: { limit: $size }');
    for (const text of [
      `query ($size: Int) { ${byOption} }`,
      `query ($size: Int) { ...F } fragment F on Query { ${byOption} }`,
    ]) {
      const { weights } = weighAll(text, sizes);
      expect(weights[1]?.bytes).toBeGreaterThan((weights[0]?.bytes ?? 0) * 10);
    }
    const { weights } = weighAll(
      `query ($options: PaginateOptions) { ${answers(', paginateOptions: $options')} }`,
      [{ options: { limit: 1 } }, { options: { limit: 50 } }],
    );
    expect(weights[1]).not.toEqual(weights[0]);
  });
});

describe('the list of sizes', () => {
  const names = Object.values(schema.getTypeMap()).flatMap((type) =>
    isObjectType(type) ? Object.keys(type.getFields()).map((field) => `${type.name}.${field}`) : [],
  );
  it.each([...Object.keys(LIST_SIZES), ...Object.keys(LONG_TEXTS)])('names %s, which is there', (place) => {
    expect(names).toContain(place);
  });
  it.each([...Object.keys(OPERATION_COSTS), ...Object.keys(LARGER_PAGES)])(
    'names the operation %s, which is there',
    (name) => {
      expect([`Query.${name}`, `Mutation.${name}`].filter((place) => names.includes(place))).not.toEqual([]);
    },
  );
});

describe('every list of the schema', () => {
  const types = Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .filter(({ name }) => !name.startsWith('__'));
  const fields = types.flatMap((type) => Object.values(type.getFields()).map((field) => ({ type, field })));
  const lists = fields.filter(({ field }) => isListType(getNullableType(field.type)));
  const isPage = (name: string): boolean => PAGE_LISTS.has(name);

  it('is the content of a page, or says how many entries it has at most', () => {
    const unnamed = lists
      .filter(({ field }) => !isPage(field.name))
      .map(({ type, field }) => `${type.name}.${field.name}`)
      .filter((place) => LIST_SIZES[place] === undefined);
    expect(unnamed).toEqual([]);
  });

  it('that is the content of a page is asked for with a limit', () => {
    const pages = new Set(lists.filter(({ field }) => isPage(field.name)).map(({ type }) => type.name));
    const unlimited = fields
      .filter(({ field }) => pages.has(getNamedType(field.type).name))
      .filter(({ field }) => !field.args.some(({ name }) => PAGE_ARGUMENTS.some((known) => known === name)))
      .map(({ type, field }) => `${type.name}.${field.name}`);
    expect([pages.size > 10, unlimited]).toEqual([true, []]);
  });
});
