import { IN_BODY, IN_TAGS, IN_TITLE, PLACES } from './inverted-index.js';
import type { WordMatch } from './lexicon.js';

/** The specification's boosts. A word that was mistyped or is a part of a compound has no boost of a prefix. */
const TITLE_BOOST = 2;
const BODY_BOOST = 1;
const PREFIX_BOOST = 5;
/** Another spelling comes after the exact one, the beginning of a word after the word itself, and a second mistake after a first. */
const OTHERWISE_SPELLED = 0.95;
const UNFINISHED = 0.9;
const SECOND_EDIT = 0.5;
/** A part or a mistyped word found in the tags alone. */
const TAG_ALONE = 0.5;

/** What a word is worth where it stands. */
export function worthOf(match: WordMatch, places: number): number {
  const fields = (places & IN_TITLE ? TITLE_BOOST : 0) + (places & IN_BODY ? BODY_BOOST : 0);
  switch (match.kind) {
    case 'same':
      return PREFIX_BOOST + fields;
    case 'folded':
      return OTHERWISE_SPELLED * (PREFIX_BOOST + fields);
    case 'beginning':
      return UNFINISHED * (PREFIX_BOOST + fields);
    case 'part':
      return places === IN_TAGS ? TAG_ALONE : fields;
    case 'typo':
      return (places === IN_TAGS ? TAG_ALONE : fields) * (match.edits > 1 ? SECOND_EDIT : 1);
  }
}

const tableOf = (match: WordMatch): Float64Array =>
  Float64Array.from({ length: PLACES + 1 }, (_, places) => worthOf(match, places));

const TABLES = {
  same: tableOf({ kind: 'same' }),
  folded: tableOf({ kind: 'folded' }),
  beginning: tableOf({ kind: 'beginning' }),
  part: tableOf({ kind: 'part' }),
};
const ONE_EDIT = tableOf({ kind: 'typo', edits: 1 });
const TWO_EDITS = tableOf({ kind: 'typo', edits: 2 });

/** What such a word is worth, by the places. */
export function worthsOf(match: WordMatch): Float64Array {
  if (match.kind === 'typo') return match.edits > 1 ? TWO_EDITS : ONE_EDIT;
  return TABLES[match.kind];
}

/** A document must have words that tell at least this share of what the query tells; a hair less, for sums that were rounded. */
export const MIN_SHARE = 0.5 * 0.999;

/** What a word tells that so many of all documents have: the rarer, the more. */
export const tellingOf = (documents: number, all: number): number => Math.log(1 + all / (documents + 1));
