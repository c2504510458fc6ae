export type DoubleDocument = Readonly<Record<string, unknown>> & { readonly id: string };

/** As the server refuses a request that it does not understand. */
export class BadRequest extends Error {}

type Condition = (document: DoubleDocument) => boolean;

const CONDITION = /\s*([\w]+):(:?=|>=|<=|>|<)?\s*(\[[^\]]*\]|`[^`]*`|[\w.-]+)\s*/y;

/** That part of the filter language which is published and used here: conditions joined by `&&`, values in backticks. */
export function filterOf(text: string | undefined): Condition {
  if (text === undefined || text === '') return () => true;
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
  return (document) => conditions.every((holds) => holds(document));
}

const unquoted = (value: string): string => value.trim().replace(/^`|`$/g, '');

function conditionOf(field: string, operator: string, value: string): Condition {
  if (operator === '>' || operator === '<' || operator === '>=' || operator === '<=')
    return (document) => isCompared(Number(document[field]), operator, Number(value));
  const wanted = new Set(
    value.startsWith('[') ? value.slice(1, -1).split(',').map(unquoted) : [unquoted(value)],
  );
  return (document) => {
    const actual = document[field];
    return (Array.isArray(actual) ? actual : [actual]).some((one) => wanted.has(String(one)));
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
