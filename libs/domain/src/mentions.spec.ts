import { describe, expect, it } from '@jest/globals';
import { formatMentions, mention, mentionedStudentIds } from './mentions.js';
import { newId } from './testing/builders.js';

describe('mentions', () => {
  const [one, two] = [newId(), newId()];

  it('are returned in order, without duplicates, ignoring the case of the ID', () =>
    expect(mentionedStudentIds(`${mention(two)}${mention(one)} ${mention(two.toUpperCase())}`)).toEqual([
      two,
      one,
    ]));
  it.each(['@marie', '@[marie]', '@[]', '@[not-a-uuid]', `[${one}]`, `@ [${one}]`])(
    'do not include %j',
    (body) => expect(mentionedStudentIds(body)).toEqual([]),
  );
  it('are formatted by name', () =>
    expect(
      formatMentions(`Hi ${mention(one)}, ${mention(two)}`, (id) => (id === one ? '@[marie]' : '@[?]')),
    ).toBe('Hi @[marie], @[?]'));
  it('keep names that look like replacement patterns', () =>
    expect(formatMentions(mention(one), () => '$&$1')).toBe('$&$1'));
});
