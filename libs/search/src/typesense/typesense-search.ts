import { TimeSlice } from '@nimo/projection-engine';
import type { Client, SearchParams, SearchResponseHit } from 'typesense';
import { coveringGrams, editsAllowed, type Queryable } from '@nimo/projections';
import { candidatesOf, type FoundPost, postHits, savedQuestionsOf } from '../post-hits.js';
import { MAX_QUERY_WORDS, type QueryTextWord, queryTextWords } from '../query-text.js';
import type {
  NameSearch,
  PostHit,
  PostSearch,
  QuestionSearch,
  SearchEngine,
  SearchSort,
  Slice,
  TopicNameSearch,
} from '../search-engine.js';
import {
  allOf,
  DEFAULT_PREFIX,
  hasAnyWord,
  ifDefined,
  isId,
  isOneOf,
  isTrue,
  MARK_END,
  MARK_START,
  markedWords,
  namesAlias,
  NothingMatches,
  plainError,
  postsAlias,
} from './typesense-client.js';

type Document = Record<string, unknown> & { readonly id: string };
type Request = Omit<SearchParams<Document>, 'streamConfig'> & {
  readonly collection: string;
  readonly query_by: string;
  readonly sort_by: string;
};
type Hit = SearchResponseHit<Document>;

export interface TypesenseSearchOptions {
  readonly client: Client;
  readonly db: Queryable;
  readonly prefix?: string;
}

/** Maximum page size of Typesense. */
const MAX_HITS = 250;
/** As in the embedded engine, a word found in this many documents is assumed to have no typos. */
const COMMON_WORD_DOCUMENTS = 10;

/** Fuzziness AUTO: no typo up to 2 letters, 1 up to 5, else 2. The last word also matches as a prefix. */
const FUZZINESS = { min_len_1typo: 3, min_len_2typo: 6, prefix: true } as const;

/** A word in a script without spaces is several tokens. */
const MAX_TOKENS = 3 * MAX_QUERY_WORDS;

/** Without a full match, drops words from the end; also splits and joins compounds. */
const LENIENCE = { drop_tokens_threshold: 1, split_join_tokens: 'fallback' } as const;

const POST_RANKING = {
  query_by: 'title_words,tag_words,body_words',
  query_by_weights: '2,1,1',
  text_match_type: 'sum_score',
  prioritize_exact_match: true,
  highlight_fields: 'title_words,body_words',
  highlight_full_fields: 'title_words,body_words',
} as const;

const ORDERS: Readonly<Record<SearchSort, string>> = {
  BEST: '_text_match:desc,created_at:desc',
  NEWEST: 'created_at:desc',
  MOST_ANSWERED: 'answer_count:desc,created_at:desc',
};

/** External search engine. Typesense returns ids; the texts are read from PostgreSQL. */
export class TypesenseSearch implements SearchEngine {
  private readonly client: Client;
  private readonly db: Queryable;
  private readonly posts: string;
  private readonly names: string;

  constructor({ client, db, prefix = DEFAULT_PREFIX }: TypesenseSearchOptions) {
    this.client = client;
    this.db = db;
    this.posts = postsAlias(prefix);
    this.names = namesAlias(prefix);
  }

  async findQuestions(search: QuestionSearch): Promise<PostHit[]> {
    const { savedBy, spaceId } = search;
    const saved = savedBy === undefined ? undefined : await savedQuestionsOf(this.db, savedBy, spaceId);
    return this.findPosts(search, 'QUESTION', () =>
      allOf(
        ifDefined(search.authorId, (id) => isId('author_id', id)),
        ifDefined(search.isSolved, (value) => isTrue('is_solved', value)),
        ifDefined(saved, (ids) => isOneOf('id', ids)),
      ),
    );
  }

  findAnswers(search: PostSearch): Promise<PostHit[]> {
    return this.findPosts(search, 'ANSWER', () => '');
  }

  async findTopics({ text, spaceId, subjectId, skip, limit }: TopicNameSearch): Promise<string[]> {
    const subject = () => ifDefined(subjectId, (id) => isId('subject_id', id));
    return this.findNames({ text, spaceId, skip, limit }, 'TOPIC', subject);
  }

  findPeople(search: NameSearch): Promise<string[]> {
    return this.findNames(search, 'PERSON', () => undefined);
  }

  private async findPosts(search: PostSearch, kind: string, filter: () => string): Promise<PostHit[]> {
    const hits = await this.search(search.text, candidatesOf(search), () => ({
      ...POST_RANKING,
      collection: this.posts,
      sort_by: ORDERS[search.sort],
      // A list by date must not start with typo matches.
      typo_tokens_threshold: search.sort === 'BEST' ? COMMON_WORD_DOCUMENTS : 1,
      filter_by: allOf(
        isId('space_id', search.spaceId),
        isId('kind', kind),
        ifDefined(search.subjectId, (id) => isId('subject_id', id)),
        ifDefined(search.topicId, (id) => isId('topic_id', id)),
        filter() || undefined,
      ),
    }));
    return postHits(this.db, search, hits.map(foundPost), new TimeSlice());
  }

  private async findNames(
    { text, spaceId, skip, limit }: NameSearch,
    kind: string,
    filter: () => string | undefined,
  ): Promise<string[]> {
    const hits = await this.search(text, { skip, limit }, () => ({
      collection: this.names,
      query_by: 'name_words',
      sort_by: '_text_match:desc',
      typo_tokens_threshold: 1,
      filter_by: allOf(isId('space_ids', spaceId), isId('kind', kind), filter()),
    }));
    return hits.map(({ document }) => document.id);
  }

  /** Sends only our own tokens, so that the query contains no operators. */
  private async search(text: string, { skip, limit }: Slice, request: () => Request): Promise<Hit[]> {
    const words = queryTextWords(text).slice(0, MAX_QUERY_WORDS);
    if (words.length === 0) return [];
    try {
      const own = request();
      const common = {
        ...own,
        ...FUZZINESS,
        ...LENIENCE,
        ...MARKS,
        // Typesense may count a vowel sign as a letter, so the maximum is computed here.
        num_typos: Math.max(...words.map(({ word, forms }) => (forms.length > 0 ? 0 : editsAllowed(word)))),
        sort_by: exactFirst(own, words),
        q: words.flatMap(tokensOf).slice(0, MAX_TOKENS).join(' '),
      };
      const searches = slices(skip, limit).map((slice) => ({ ...common, ...slice }));
      // By POST: a long query with many ids exceeds the URL length limit of a GET.
      const { results } = await this.client.multiSearch.perform<Document[]>({ searches });
      return results.flatMap(hitsOf);
    } catch (error) {
      if (error instanceof NothingMatches) return [];
      throw plainError(error);
    }
  }
}

/** All tokens are required, so a word in a script without spaces contributes its shortest form. */
const tokensOf = ({ word, forms }: QueryTextWord): string[] =>
  forms.length > 0 ? coveringGrams(forms.at(-1) ?? []) : [word];

/** Ranks matches with the accents of the query first. */
function exactFirst({ query_by, sort_by }: Request, words: readonly QueryTextWord[]): string {
  const spellings = words.flatMap(({ spelling }) => spelling ?? []);
  const isBest = sort_by.startsWith('_text_match');
  return isBest && spellings.length > 0
    ? `_eval(${hasAnyWord(query_by.split(','), spellings)}):desc,${sort_by}`
    : sort_by;
}

const MARKS = {
  include_fields: 'id',
  highlight_start_tag: MARK_START,
  highlight_end_tag: MARK_END,
} as const;

function slices(skip: number, limit: number): { readonly offset: number; readonly limit: number }[] {
  const count = Math.ceil(limit / MAX_HITS);
  return Array.from({ length: count }, (_, page) => ({
    offset: skip + page * MAX_HITS,
    limit: Math.min(MAX_HITS, limit - page * MAX_HITS),
  }));
}

/** A single search may fail although the request succeeds. */
function hitsOf({ hits, error, code }: { hits?: Hit[]; error?: string; code?: number }): Hit[] {
  if (error !== undefined) throw new Error(`Typesense responded with ${code ?? 'an error'}: ${error}`);
  return hits ?? [];
}

function foundPost({ document, highlight }: Hit): FoundPost {
  const fields = highlight as Readonly<Record<string, { readonly value?: string } | undefined>>;
  const words = markedWords([fields['title_words']?.value, fields['body_words']?.value]);
  return { id: document.id, isMatch: (word) => words.has(word) };
}
