export type DoubleDocument = Readonly<Record<string, unknown>> & { readonly id: string };

/** Responds with status 400. */
export class BadRequest extends Error {}

type Condition = (document: DoubleDocument) => boolean;

const CONDITION = /\s*([\w]+):(=|>=|<=|>|<)?\s*(\[[^\]]*\]|`[^`]*`|[\w.-]+)\s*/y;

/** The subset of the filter language in use: conditions joined by `&&` or `||`, without parentheses. */
export function filterOf(text: string | undefined): Condition {
  if (text === undefined || text === '') return () => true;
  const alternatives = text.split('||').map(allOf);
  return (document) => alternatives.some((holds) => holds(document));
}

function allOf(text: string): Condition {
  const conditions: Condition[] = [];
  for (let at = 0; at < text.length;) {
    if (at > 0) {
      if (!text.startsWith('&&', at)) throw new BadRequest(`Could not parse the filter query: ${text}`);
      at += 2;
    }
    CONDITION.lastIndex = at;
    const match = CONDITION.exec(text);
    if (!match) throw new BadRequest(`Could not parse the filter query: ${text}`);
    const [whole, field = '', operator = '', value = ''] = match;
    conditions.push(conditionOf(field, operator, value));
    at += whole.length;
  }
  if (conditions.length === 0) throw new BadRequest('Could not parse the filter query: it lacks a condition');
  return (document) => conditions.every((holds) => holds(document));
}

const unquoted = (value: string): string => value.trim().replace(/^`|`$/g, '');

function conditionOf(field: string, operator: string, value: string): Condition {
  if (operator === '>' || operator === '<' || operator === '>=' || operator === '<=')
    return (document) => isCompared(Number(document[field]), operator, Number(value));
  const accepted = new Set(
    value.startsWith('[') ? value.slice(1, -1).split(',').map(unquoted) : [unquoted(value)],
  );
  // `:=` matches the whole field, `:` a single word.
  const values = (one: unknown) => (operator === '' ? String(one).split(' ') : [String(one)]);
  return (document) => {
    const actual = document[field];
    return (Array.isArray(actual) ? actual : [actual]).flatMap(values).some((one) => accepted.has(one));
  };
}

function isCompared(value: number, operator: '>' | '<' | '>=' | '<=', other: number): boolean {
  switch (operator) {
    case '>':
      return value > other;
    case '<':
      return value < other;
    case '>=':
      return value >= other;
    case '<=':
      return value <= other;
  }
}
