import { describe, expect, it } from '@jest/globals';
import { allOf, hasAnyWord, ifDefined, isId, isOneOf, isTrue, NothingMatches } from './typesense-client.js';

const ID = '01890a5d-ac96-774b-bcce-b302099a8057';

describe('Typesense filter', () => {
  it('joins the defined conditions and quotes ids in backticks', () => {
    const filter = allOf(
      isId('space_id', ID),
      ifDefined(undefined, (id: string) => isId('topic_id', id)),
      isOneOf('id', [ID, 'b_c']),
      isTrue('is_solved', false),
    );
    expect(filter).toBe(`space_id:=\`${ID}\` && id:=[\`${ID}\`,\`b_c\`] && is_solved:=false`);
  });

  it('matches any of the words in any of the fields', () => {
    expect(hasAnyWord(['title_words', 'tag_words'], ['_e_ldte', '__1anet'])).toBe(
      'title_words:[_e_ldte,__1anet] || tag_words:[_e_ldte,__1anet]',
    );
  });

  it.each([
    '',
    '`',
    'x` || space_id:=`y',
    'x`&&kind:=QUESTION',
    'a b',
    '[a,b]',
    'a,b',
    '*',
    '>0',
    'a\n',
    'é',
    '\u0000',
  ])('rejects %j as an id', (value) => {
    expect(() => isId('space_id', value)).toThrow(NothingMatches);
    expect(() => isOneOf('id', [ID, value])).toThrow(NothingMatches);
  });

  it('rejects an empty list of ids', () => {
    expect(() => isOneOf('id', [])).toThrow(NothingMatches);
  });
});
