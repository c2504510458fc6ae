import { editsBetween } from '@nimo/projections';
import { BadRequest, type DoubleDocument, filterOf } from './double-filter.js';
import { tokenOf, tokensOf } from './double-tokens.js';

export interface DoubleSearchParams {
  readonly q?: string;
  readonly query_by?: string;
  readonly query_by_weights?: string;
  readonly filter_by?: string;
  readonly sort_by?: string;
  readonly prefix?: boolean | string;
  readonly num_typos?: number | string;
  readonly min_len_1typo?: number | string;
  readonly min_len_2typo?: number | string;
  readonly typo_tokens_threshold?: number | string;
  readonly drop_tokens_threshold?: number | string;
  readonly split_join_tokens?: string;
  readonly include_fields?: string;
  readonly highlight_full_fields?: string;
  readonly highlight_start_tag?: string;
  readonly highlight_end_tag?: string;
  readonly offset?: number | string;
  readonly limit?: number | string;
}

interface Match {
  readonly edits: number;
  readonly isWhole: boolean;
}

interface Found {
  readonly document: DoubleDocument;
  readonly score: number;
  /** Matched words of the document. */
  readonly words: ReadonlySet<string>;
}

/**
 * Searches by the documented rules: every query word in some field, more typos only if there are too few hits, words joined or split,
 * words dropped from the end. The score is only a stand-in for Typesense's ranking.
 */
export function doubleSearch(
  {
    documents,
    symbols,
  }: { readonly documents: Iterable<DoubleDocument>; readonly symbols: readonly string[] },
  params: DoubleSearchParams,
) {
  const { q = '*', offset = 0, limit = 10 } = params;
  if (Number(limit) > 250) throw new BadRequest('Only upto 250 hits can be fetched per page.');
  const fields = fieldsOf(params);
  const accepted = [...documents].filter(filterOf(params.filter_by));
  const found =
    q === '*'
      ? accepted.map(asFound)
      : new DoubleQuery(params, { fields, symbols }, accepted).find(tokensOf(q, symbols));
  const sorted = found.sort(orderOf(params.sort_by ?? '_text_match:desc'));
  const page = sorted.slice(Number(offset), Number(offset) + Number(limit));
  return {
    found: sorted.length,
    out_of: accepted.length,
    page: 1,
    hits: page.map((one) => hitOf(one, params, symbols)),
  };
}

const asFound = (document: DoubleDocument): Found => ({ document, score: 0, words: new Set() });

interface Field {
  readonly name: string;
  readonly weight: number;
}

function fieldsOf({ query_by = '', query_by_weights }: DoubleSearchParams): Field[] {
  const names = query_by.split(',');
  const weights = query_by_weights?.split(',') ?? names.map(() => '1');
  if (weights.length !== names.length)
    throw new BadRequest(
      'Number of weights in `query_by_weights` does not match number of `query_by` fields.',
    );
  return names.map((name, index) => ({ name, weight: Number(weights[index]) }));
}

const textIn = (document: DoubleDocument, field: string): string => {
  const value = document[field];
  return typeof value === 'string' ? value : '';
};

interface Indexed {
  readonly fields: readonly Field[];
  readonly symbols: readonly string[];
}

class DoubleQuery {
  constructor(
    private readonly params: DoubleSearchParams,
    private readonly indexed: Indexed,
    private readonly documents: readonly DoubleDocument[],
  ) {}

  find(words: readonly string[]): Found[] {
    const found = this.withTypos(words);
    if (found.length === 0 && this.params.split_join_tokens === 'fallback') {
      for (const other of [...joined(words), ...split(words)]) found.push(...this.withWords(other, 0));
    }
    const isEnough = found.length >= Number(this.params.drop_tokens_threshold ?? 1);
    return isEnough || words.length === 1
      ? unique(found)
      : unique([...found, ...this.find(words.slice(0, -1))]);
  }

  private withTypos(words: readonly string[]): Found[] {
    let found: Found[] = [];
    for (let edits = 0; edits <= Number(this.params.num_typos ?? 2); edits += 1) {
      found = this.withWords(words, edits);
      if (found.length >= Number(this.params.typo_tokens_threshold ?? 1)) break;
    }
    return found;
  }

  private withWords(words: readonly string[], edits: number): Found[] {
    return this.documents.flatMap((document) => this.inDocument(document, words, edits) ?? []);
  }

  private inDocument(document: DoubleDocument, words: readonly string[], edits: number): Found | undefined {
    const matched = new Set<string>();
    let score = 0;
    for (const [index, word] of words.entries()) {
      const boost = this.boostIn(document, { word, edits, isLast: index === words.length - 1 }, matched);
      if (boost === 0) return undefined;
      score += boost;
    }
    return { document, score, words: matched };
  }

  private boostIn(
    document: DoubleDocument,
    { word, edits, isLast }: { readonly word: string; readonly edits: number; readonly isLast: boolean },
    matched: Set<string>,
  ): number {
    let boost = 0;
    const { fields, symbols } = this.indexed;
    for (const { name, weight } of fields) {
      let best = 0;
      for (const other of tokensOf(textIn(document, name), symbols)) {
        const match = this.match(word, other, edits, isLast);
        if (!match) continue;
        matched.add(other);
        best = Math.max(best, 4 - match.edits - (match.isWhole ? 0 : 0.5));
      }
      boost += weight * best;
    }
    return boost;
  }

  private match(word: string, other: string, maxEdits: number, isLast: boolean): Match | undefined {
    const { min_len_1typo = 4, min_len_2typo = 7, prefix = true } = this.params;
    const allowed = word.length >= Number(min_len_2typo) ? 2 : word.length >= Number(min_len_1typo) ? 1 : 0;
    const edits = editsBetween(word, other, Math.min(maxEdits, allowed));
    if (edits !== undefined) return { edits, isWhole: true };
    const isBeginning = isLast && String(prefix) === 'true' && other.startsWith(word);
    return isBeginning ? { edits: 0, isWhole: false } : undefined;
  }
}

const joined = (words: readonly string[]): string[][] =>
  words
    .slice(1)
    .map((word, index) => [
      ...words.slice(0, index),
      `${words[index] ?? ''}${word}`,
      ...words.slice(index + 2),
    ]);

const split = (words: readonly string[]): string[][] =>
  words.flatMap((word, index) =>
    Array.from({ length: Math.max(0, word.length - 1) }, (_, cut) => [
      ...words.slice(0, index),
      word.slice(0, cut + 1),
      word.slice(cut + 1),
      ...words.slice(index + 1),
    ]),
  );

function unique(found: readonly Found[]): Found[] {
  const byId = new Map<string, Found>();
  for (const one of found) if (!byId.has(one.document.id)) byId.set(one.document.id, one);
  return [...byId.values()];
}

/** A field, or 1 for documents that a filter accepts and 0 for others. */
const SORT_KEY = /(?:^|,)(\w+)(?:\((.*?)\))?:(asc|desc)/g;

function valueOf(field: string, condition: string | undefined): (found: Found) => number {
  if (field === '_text_match') return ({ score }) => score;
  if (field !== '_eval') return ({ document }) => Number(document[field]);
  const holds = filterOf(condition);
  return ({ document }) => Number(holds(document));
}

function orderOf(sortBy: string): (a: Found, b: Found) => number {
  const keys = Array.from(sortBy.matchAll(SORT_KEY), ([, field = '', condition, direction]) => ({
    direction,
    valueOf: valueOf(field, condition),
  }));
  return (a, b) => {
    for (const { valueOf, direction } of keys) {
      const difference = valueOf(a) - valueOf(b);
      if (difference !== 0) return direction === 'desc' ? -difference : difference;
    }
    return 0;
  };
}

function hitOf({ document, words, score }: Found, params: DoubleSearchParams, symbols: readonly string[]) {
  const {
    highlight_full_fields = '',
    highlight_start_tag = '<mark>',
    highlight_end_tag = '</mark>',
  } = params;
  const typed = new Set(tokensOf(params.q ?? '', symbols));
  const marked = (word: string): string => {
    // Like the server, marks only the prefix of a prefix match.
    const prefix = [...typed].find((beginning) => word !== beginning && word.startsWith(beginning)) ?? word;
    return `${highlight_start_tag}${prefix}${highlight_end_tag}${word.slice(prefix.length)}`;
  };
  const highlight: Record<string, unknown> = {};
  for (const field of highlight_full_fields.split(',').filter((name) => name !== '')) {
    const shownWords = textIn(document, field).split(' ');
    const isFound = (word: string) => words.has(tokenOf(word, symbols));
    const value = shownWords.map((word) => (isFound(word) ? marked(word) : word)).join(' ');
    const matched_tokens = shownWords.filter(isFound);
    if (matched_tokens.length > 0) highlight[field] = { matched_tokens, snippet: value, value };
  }
  return { document: shown(document, params.include_fields), highlight, text_match: score };
}

export function shown(document: DoubleDocument, includeFields: string | undefined): DoubleDocument {
  if (includeFields === undefined) return document;
  const names = new Set(includeFields.split(','));
  return Object.fromEntries(Object.entries(document).filter(([name]) => names.has(name))) as DoubleDocument;
}
