import { describe, expect, it } from '@jest/globals';
import { formatMentions, mention, mentionedStudentIds } from './mentions.js';
import { newId } from './testing/builders.js';

describe('mentions', () => {
  const [one, two] = [newId(), newId()];

  it('are found in order, each once, whatever the case of the id', () =>
    expect(mentionedStudentIds(`${mention(two)}${mention(one)} ${mention(two.toUpperCase())}`)).toEqual([
      two,
      one,
    ]));
  it.each(['@marie', '@[marie]', '@[]', '@[not-a-uuid]', `[${one}]`, `@ [${one}]`])('are not %j', (body) =>
    expect(mentionedStudentIds(body)).toEqual([]),
  );
  it('are shown by name', () =>
    expect(
      formatMentions(`Hi ${mention(one)}, ${mention(two)}`, (id) => (id === one ? '@[marie]' : '@[?]')),
    ).toBe('Hi @[marie], @[?]'));
  it('are shown with names that look like a replacement pattern', () =>
    expect(formatMentions(mention(one), () => '$&$1')).toBe('$&$1'));
});
