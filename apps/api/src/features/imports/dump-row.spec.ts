import { describe, expect, it } from '@jest/globals';
import { lengthOf, MAX_TITLE_LENGTH } from '@nimo/domain';
import { type Attributes, type DumpRow, dumpRow, type DumpFile } from './dump-row.js';
import { resolveAddresses } from './import-ids.js';

const POST = { Id: '7', PostTypeId: '1', CreationDate: '2020-01-01T00:00:00.000', Title: 'Why?' };
const LINKED = 'rel="nofollow ugc noopener noreferrer" target="_blank"';

function staged(
  file: DumpFile,
  row: Attributes,
  origin?: string,
): { row: DumpRow | undefined; changes: readonly string[] } {
  const changes: string[] = [];
  const note = (what: string, count?: number): void =>
    void changes.push(count === undefined ? what : `${count} ${what}`);
  return { row: dumpRow(file, row, { note, addresses: resolveAddresses(origin, note) }), changes };
}

const bodyOf = (Body: string, origin?: string): { body: string | undefined; changes: readonly string[] } => {
  const { row, changes } = staged('posts', { ...POST, Body }, origin);
  return { body: row?.content?.body, changes };
};

const SITE = 'https://french.meta.stackexchange.com/';
const link = (href: string, text: string): string => `<a href="${href}" ${LINKED}>${text}</a>`;

describe('links in a post', () => {
  it.each([
    ['/questions/tagged/regex', `${SITE}questions/tagged/regex`],
    ['//example.org/a?b=c', 'https://example.org/a?b=c'],
    ['help', `${SITE}help`],
    ['?tab=votes', `${SITE}?tab=votes`],
  ])('resolve %s against the source', (href, absolute) =>
    expect(bodyOf(`<p>See <a href="${href}">it</a>.</p>`, SITE)).toEqual({
      body: `<p>See ${link(absolute, 'it')}.</p>`,
      changes: ['relative links made absolute'],
    }),
  );

  it('become text without a source, unless they name a host', () => {
    expect(bodyOf('<p>See <a href="/help">it</a>.</p>')).toEqual({
      body: '<p>See <span>it</span>.</p>',
      changes: ['relative links turned into text'],
    });
    expect(bodyOf('<a href="//example.org/a">it</a>')).toEqual({
      body: link('https://example.org/a', 'it'),
      changes: ['relative links made absolute'],
    });
  });

  it('become text if they are fragments', () =>
    expect(bodyOf('<a href="#note">it</a>', SITE)).toEqual({
      body: '<span>it</span>',
      changes: ['relative links turned into text'],
    }));

  it('stay unchanged if absolute', () =>
    expect(
      bodyOf('<a href="https://example.org/a#b">it</a> <a href="mailto:a@example.org">mail</a>'),
    ).toEqual({
      body: `${link('https://example.org/a#b', 'it')} ${link('mailto:a@example.org', 'mail')}`,
      changes: [],
    }));
});

describe('pictures in a post', () => {
  it('become links, or their alternative text without a source', () => {
    const picture = '<p><img src="/i/map.png" alt="a map"></p>';
    expect(bodyOf(picture, SITE)).toEqual({
      body: `<p>${link(`${SITE}i/map.png`, 'a map')}</p>`,
      changes: ['relative pictures made absolute'],
    });
    expect(bodyOf(picture)).toEqual({
      body: '<p><span>a map</span></p>',
      changes: ['relative pictures turned into text'],
    });
  });

  it('never refer to local uploads', () =>
    expect(bodyOf('<img src="/media/12345678-1234-1234-1234-123456789abc.webp" alt="x">').body).toBe(
      '<span>x</span>',
    ));
});

describe('dumpRow', () => {
  it('keeps text that looks like an escape', () =>
    expect(bodyOf('<pre><code>"\\u0000"</code></pre>').body).toBe('<pre><code>"\\u0000"</code></pre>'));

  it('truncates long titles and names and notes it', () => {
    const { row, changes } = staged('posts', { ...POST, Title: 'x'.repeat(400), Body: '' });
    expect(row?.content?.title).toBe(`${'x'.repeat(299)}…`);
    expect(changes).toEqual(['titles cut']);
    const user = { Id: '1', CreationDate: POST.CreationDate, DisplayName: 'x'.repeat(400) };
    expect(staged('users', user).changes).toEqual(['names cut']);
  });

  it('truncates names after normalising them', () => {
    const user = { Id: '1', CreationDate: POST.CreationDate };
    const nameOf = (DisplayName: string) => staged('users', { ...user, DisplayName }).row?.content?.name;
    // NFC decomposes U+0958 into two characters.
    expect(nameOf('\u0958'.repeat(60))).toBe(`${'\u0915\u093c'.repeat(49)}…`);
    expect(nameOf(` ${'\u200b'.repeat(200)}Ada  \u2714 Lovelace`)).toBe('Ada Lovelace');
  });

  it('counts characters dropped from texts', () => {
    const post = {
      ...POST,
      Title: ' W\u202ehy?',
      Body: '<p>a\u202eb\u200f\r\nc</p>',
      Tags: '<gram\u200bmar>',
    };
    expect(staged('posts', post).changes).toEqual([
      '2 characters dropped from bodies',
      '1 characters dropped from titles',
      '1 characters dropped from tags',
    ]);
    const row = { Id: '1', CreationDate: POST.CreationDate };
    expect(staged('comments', { ...row, Text: 'a\u202e\u2066b' }).changes).toEqual([
      '2 characters dropped from comments',
    ]);
    const user = staged('users', { ...row, DisplayName: 'A\u202eda  \u2714 Lovelace' });
    expect(user.row?.content?.name).toBe('Ada Lovelace');
    expect(user.changes).toEqual(['2 characters dropped from names']);
  });

  it('does not count changes in white space or normal form', () => {
    const row = { Id: '1', CreationDate: POST.CreationDate };
    expect(staged('users', { ...row, DisplayName: ' Zoe\u0308\u00a0 Smith ' }).changes).toEqual([]);
    expect(staged('comments', { ...row, Text: 'a\r\nb\u0085c' }).changes).toEqual([]);
  });

  it('drops tags that are not valid topic names and notes it', () => {
    const Tags = `<grammar><${'x'.repeat(101)}><\u200b><...><c++>`;
    const { row, changes } = staged('posts', { ...POST, Tags });
    expect(row?.content?.tags).toEqual(['grammar', 'c++']);
    expect(changes).toEqual(['tags dropped', 'tags dropped', 'tags dropped']);
  });

  it.each([
    ['posts', { ...POST, Title: ' ' }, 'rejected by Nimo: Please add question title.'],
    ['posts', { ...POST, PostTypeId: '2', Body: '<p> </p>' }, 'rejected by Nimo: Please add your answer'],
    ['posts', { ...POST, Body: 'x'.repeat(70_000) }, 'rejected by Nimo: Text can’t be longer than 64 KB.'],
    ['posts', { ...POST, PostTypeId: '5' }, 'a wiki page or other type of post'],
    [
      'comments',
      { Id: '1', CreationDate: POST.CreationDate, Text: ' ' },
      'rejected by Nimo: Comment should not be empty!',
    ],
  ] as const)('gives the reason for skipping a row of %s', (file, row, skip) =>
    expect(staged(file, row).row?.skip).toBe(skip),
  );

  it.each(['2020-01-01T00:00:00.000', '2020-01-01', '2020-01-01T00:00:00Z', '2020-01-01T01:00:00+01:00'])(
    'converts %s to UTC',
    (CreationDate) =>
      expect(staged('posts', { ...POST, CreationDate }).row?.at).toBe('2020-01-01T00:00:00.000Z'),
  );

  it.each(['', '5', 'May', 'Question 5', '2020-13-01T00:00:00', '2020-02-31T00:00:00'])(
    'rejects the date %j',
    (CreationDate) => expect(staged('posts', { ...POST, CreationDate }).row).toBeUndefined(),
  );
});

describe('a title that is too long', () => {
  const titleOf = (Title: string) => staged('posts', { ...POST, Title }).row?.content?.title;

  it.each([
    ['Latin letters', 'a'.repeat(301), `${'a'.repeat(299)}…`],
    ['a family emoji at the end', `${'a'.repeat(297)}👨‍👩‍👧‍👦`, `${'a'.repeat(297)}…`],
    ['a flag at the end', `${'a'.repeat(298)}🇮🇳?`, `${'a'.repeat(298)}…`],
  ])('is cut between characters: %s', (_name, title, expected) => {
    expect(titleOf(title)).toBe(expected);
    expect(lengthOf(expected)).toBeLessThanOrEqual(MAX_TITLE_LENGTH);
  });

  it('stays whole at the maximum length', () => expect(titleOf('😀'.repeat(300))).toBe('😀'.repeat(300)));
});
