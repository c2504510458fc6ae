import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { DomainError } from '@nimo/domain';
import { bootApp, type BootedApp } from '../../../../../test/app.js';
import { newCommunity, type Community } from '../../../../../test/community.js';
import { eventually } from '@nimo/testing';
import { Participant } from '../../../../../test/participant.js';
import { currentCaller } from '../../platform/callers/client-address.js';
import { ExpensiveWork } from '../../platform/callers/expensive-work.js';
import { LOGGER } from '../../platform/config/tokens.js';
import type { Logger } from '../../platform/logging/logger.js';
import { AddSubject } from '../spaces/commands/subjects.js';
import { CreateSpace } from '../spaces/commands/manage-space.js';
import { CreateTopic } from '../topics/commands/topics.js';

const TEMPLATE = `<!doctype html><html lang="en"><head><meta name="csp-nonce" content="__CSP_NONCE__" />
<meta name="description" content="Ask, answer and learn." /><title>Nimo</title></head>
<body><div id="root"></div><script type="module" src="/assets/app-1.js"></script></body></html>`;

let app: BootedApp;
let community: Community;
let ada: Participant;
let bob: Participant;
let webFolder: string;
beforeAll(async () => {
  webFolder = await mkdtemp(join(tmpdir(), 'nimo-web-'));
  await writeFile(join(webFolder, 'index.html'), TEMPLATE);
  await mkdir(join(webFolder, '.vite'));
  await writeFile(join(webFolder, '.vite/manifest.json'), '{}');
  await writeFile(join(webFolder, '.env'), 'SECRET=1');
  app = await bootApp({ PUBLIC_URL: 'https://nimo.example/' }, { webFolder });
  community = await newCommunity(app, 2);
  [ada, bob] = community.members.map((student) => new Participant(app, student, community)) as [
    Participant,
    Participant,
  ];
});
afterAll(async () => {
  await app.close();
  await rm(webFolder, { recursive: true });
});

const work = () => app.api.get(ExpensiveWork, { strict: false });
const open = (path: string, accept = '*/*') => app.http().get(path).set('accept', accept);
const jsonLdOf = (html: string) => {
  const text = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)?.[1];
  if (text === undefined) throw new Error(`no JSON-LD in ${html}`);
  return JSON.parse(text) as { mainEntity: Record<string, unknown> };
};
const metaOf = (html: string, name: string) =>
  new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)">`).exec(html)?.[1];

describe('the web app', () => {
  it.each(['/.vite/manifest.json', '/.env', '/%2evite/manifest.json', '/assets/../.env'])(
    'does not serve %s',
    async (path) => {
      const { status, text } = await open(path);
      expect(status).toBe(404);
      expect(text).not.toContain('SECRET');
    },
  );

  it.each(['//', '//x', '/..', '/%E0%A4%A'])('does not fail on the malformed path %s', async (path) => {
    const { status } = await open(path, 'text/html');
    expect(status).toBeLessThan(500);
  });
});

describe('the public page of a question', () => {
  it('has all content without JavaScript', async () => {
    const questionId = await ada.ask({
      title: 'Who wrote the Edda?',
      body: '<p>I read <b>two</b> names.</p>',
    });
    const wrong = await bob.answer(questionId, '<p>Homer.</p>');
    const right = await bob.answer(questionId, '<p>Snorri <em>Sturluson</em>.</p>');
    await ada.perform(`acceptAnswer(answerId: "${right}", questionId: "${questionId}") { _id }`);
    await ada.commentOnQuestion(questionId, `Ask @[${bob.student.studentId}]`);
    await ada.commentOnAnswer(wrong, 'Another island.');
    const { status, headers, text } = await open(`/question/${questionId}`);
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    const root = /<div id="root">(.*)<\/div><script type="module"/s.exec(text)?.[1] ?? '';
    for (const part of [
      '<h1 dir="auto">Who wrote the Edda?</h1>',
      '<p dir="auto">I read <b>two</b> names.</p>',
      'Snorri <em>Sturluson</em>.',
      `Ask @${bob.student.userName}`,
      'Another island.',
      '2 answers',
    ])
      expect(root).toContain(part);
    expect(root.indexOf('Snorri')).toBeLessThan(root.indexOf('Homer'));
  });

  it('keeps tables and lines from other editors, each block with its own text direction', async () => {
    const title = 'ما هو HTML؟';
    const questionId = await ada.ask({
      title: `\u202e${title}`,
      body: '<div>one</div><div>ما هذا؟</div><table><tr><td>x</td><td>1</td></tr><tr><td>y</td><td>2</td></tr></table>',
    });
    await ada.commentOnQuestion(questionId, 'arr @[0], @[constructor] and @[]');
    const { text } = await open(`/question/${questionId}`);
    for (const part of [
      `<title>${title} | Nimo</title>`,
      `<h1 dir="auto">${title}</h1>`,
      '<p dir="auto">one</p><p dir="auto">ما هذا؟</p><table dir="auto"><tr><td>x</td><td>1</td></tr><tr><td>y</td><td>2</td></tr></table>',
      '<div dir="auto">arr @[0], @[constructor] and @[]</div>',
    ])
      expect(text).toContain(part);
    expect(metaOf(text, 'og:title')).toBe(title);
    expect(metaOf(text, 'description')).toBe('one ما هذا؟ x 1 y 2');
  });

  it('has a description without formula marks', async () => {
    const questionId = await ada.ask({
      body: '<p>Is <code class="nimo-math">x^2</code> or <code>$y</code> more than <span>$</span>5?</p>',
    });
    const { text } = await open(`/question/${questionId}`);
    expect(metaOf(text, 'description')).toBe('Is $x^2$ or $y more than $5?');
  });

  it('limits the answers shown and states how many more there are', async () => {
    const questionId = await ada.ask({ title: 'Who can say it at length?' });
    for (const letter of ['a', 'b', 'c']) await bob.answer(questionId, `<p>${letter.repeat(60_000)}</p>`);
    const { text } = await open(`/question/${questionId}`);
    expect(text.match(/<article id="answer-/g)).toHaveLength(2);
    expect(text).toContain('3 answers');
    expect(text).toContain('1 more answer in the app');
    expect(text.length).toBeLessThan(300_000);
  });

  it('counts the question body towards the byte limit', async () => {
    const questionId = await ada.ask({ title: 'Кто скажет длиннее?', body: `<p>${'я'.repeat(30_000)}</p>` });
    for (const letter of ['а', 'б']) await bob.answer(questionId, `<p>${letter.repeat(30_000)}</p>`);
    const { text } = await open(`/question/${questionId}`);
    expect(text.match(/<article id="answer-/g)).toHaveLength(1);
    expect(text).toContain('1 more answer in the app');
  });

  it('is rendered within the limits on expensive work', async () => {
    const questionId = await ada.ask();
    const callers: unknown[] = [];
    const run = jest.spyOn(work(), 'run').mockImplementation((kind, read) => {
      callers.push([kind, currentCaller()?.address]);
      return read();
    });
    try {
      expect((await open(`/question/${questionId}`)).status).toBe(200);
      expect((await open('/dashboard')).status).toBe(200);
      expect(callers).toEqual([['page', '127.0.0.1']]);
    } finally {
      run.mockRestore();
    }
  });

  it('falls back to the app under load, without logging an error', async () => {
    const questionId = await ada.ask();
    const refusal = new DomainError('TOO_MANY_REQUESTS', { seconds: 5 });
    const run = jest.spyOn(work(), 'run').mockRejectedValueOnce(refusal);
    const logged = jest.spyOn(app.api.get<Logger>(LOGGER, { strict: false }), 'error');
    try {
      const { status, headers, text } = await open(`/question/${questionId}`);
      expect(status).toBe(429);
      expect(headers).toMatchObject({ 'retry-after': '5', 'x-robots-tag': 'noindex' });
      expect(text).toContain('<div id="root"></div>');
      expect(logged).not.toHaveBeenCalled();
    } finally {
      run.mockRestore();
      logged.mockRestore();
    }
  });

  it('falls back to the app on an error and logs it', async () => {
    const questionId = await ada.ask();
    const run = jest.spyOn(work(), 'run').mockRejectedValueOnce(new Error('an internal error'));
    const logged = jest.spyOn(app.api.get<Logger>(LOGGER, { strict: false }), 'error');
    try {
      expect((await open(`/question/${questionId}`)).status).toBe(503);
      expect(logged).toHaveBeenCalled();
    } finally {
      run.mockRestore();
      logged.mockRestore();
    }
  });

  it('names people only by user name, like the API for anonymous callers', async () => {
    const questionId = await ada.ask();
    const answerId = await bob.answer(questionId);
    await ada.commentOnAnswer(answerId);
    await ada.commentOnQuestion(questionId);
    expect((await open(`/question/${questionId}`)).text).not.toContain('Lovelace');
    const author = 'author { userName firstName lastName profileDesc }';
    const everything = `{
      getQuestionById(questionId: "${questionId}") { ${author} }
      getPaginatedAnswers(questions: ["${questionId}"]) { docs { ${author} comments { ${author} } } }
      getPaginatedComments(answers: ["${answerId}"]) { docs { ${author} } }
      getPaginatedQuestionComments(question: "${questionId}") { docs { ${author} } }
    }`;
    const [public_, members] = [
      JSON.stringify((await app.graphql(everything)).data),
      JSON.stringify((await app.graphql(everything, {}, bob.student.token)).data),
    ];
    expect(public_).toContain(ada.student.userName);
    expect(public_).not.toContain('Lovelace');
    expect(members.match(/Lovelace/g)).toHaveLength(5);
  });

  it('has metadata for search engines and previews', async () => {
    const questionId = await ada.ask({ title: 'Is 1 prime?', body: '<p>Some say so.</p>' });
    const answerId = await bob.answer(questionId, '<p>By <b>convention</b> not.</p>');
    const other = await bob.answer(questionId, '<p>It depends.</p>');
    await ada.perform(`acceptAnswer(answerId: "${answerId}", questionId: "${questionId}") { _id }`);
    const { text, headers } = await open(`/question/${questionId}`);
    const address = `https://nimo.example/question/${questionId}`;
    expect(text).toContain('<title>Is 1 prime? | Nimo</title>');
    expect(text.match(/name="description"/g)).toHaveLength(1);
    expect(metaOf(text, 'description')).toBe('Some say so.');
    expect(text).toContain(`<link rel="canonical" href="${address}">`);
    expect(metaOf(text, 'og:title')).toBe('Is 1 prime?');
    expect(metaOf(text, 'og:url')).toBe(address);
    expect(metaOf(text, 'twitter:card')).toBe('summary');
    expect(headers).not.toHaveProperty('x-robots-tag');
    expect(jsonLdOf(text)).toMatchObject({
      '@context': 'https://schema.org',
      '@type': 'QAPage',
      mainEntity: {
        '@type': 'Question',
        name: 'Is 1 prime?',
        text: 'Some say so.',
        answerCount: 2,
        author: { '@type': 'Person', name: ada.student.userName },
        acceptedAnswer: { text: 'By convention not.', url: `${address}#answer-${answerId}` },
        suggestedAnswer: [{ text: 'It depends.', url: `${address}#answer-${other}` }],
      },
    });
  });

  it('escapes all text', async () => {
    const title = `</title><script>alert('$&')</script>"'&lt;--`;
    const questionId = await ada.ask({ title, body: '<p>A <script>alert(1)</script>text $& </p>' });
    await ada.commentOnQuestion(questionId, '<img src=x onerror=alert(1)><!--');
    await bob.answer(questionId, '<p>&lt;/script&gt; &lt;!--</p>');
    const { text, headers } = await open(`/question/${questionId}`);
    expect(text.match(/<script[^>]*>/g)).toEqual([
      '<script type="application/ld+json">',
      '<script type="module" src="/assets/app-1.js">',
    ]);
    expect(text).not.toContain('<img src=x');
    expect(text.match(/<!--/g)).toBeNull();
    expect(text.match(/<\/title>/g)).toHaveLength(1);
    expect(jsonLdOf(text).mainEntity).toMatchObject({
      name: title,
      suggestedAnswer: [{ text: '</script> <!--' }],
    });
    const nonce = /csp-nonce" content="([^"]+)"/.exec(text)?.[1] ?? 'none';
    expect(headers['content-security-policy']).toContain(`style-src 'self' 'nonce-${nonce}'`);
    expect(headers['content-security-policy']).toContain("script-src 'self';");
    expect(headers['cache-control']).toBe('private, no-cache');
  });

  it('is not found for an unknown or deleted question', async () => {
    const questionId = await ada.ask();
    await ada.perform(`deleteQuestionById(id: "${questionId}") { _id }`);
    for (const path of [
      `/question/${questionId}`,
      `/question/${randomUUID()}`,
      '/question/7',
      '/question/x%00',
    ]) {
      const { status, text, headers } = await open(path);
      expect([path, status, headers['x-robots-tag']]).toEqual([path, 404, 'noindex']);
      expect(text).toContain('<div id="root"></div>');
    }
  });

  it('is marked noindex in a space hidden from search engines', async () => {
    const spaceId = await app.execute<string>(
      new CreateSpace(app.operator(), {
        name: 'Hidden',
        description: '',
        bannerImageUrl: null,
        color: '0f766e',
        hiddenFromSearchEngines: true,
        publicPages: true,
      }),
    );
    const [subjectId, topicId] = await filingIn(spaceId);
    await ada.perform(`joinSpace(spaceId: "${spaceId}") { _id }`);
    const questionId = await ada.ask({ space: spaceId, subject: subjectId, topic: topicId });
    const { status, text, headers } = await open(`/question/${questionId}`);
    expect([status, headers['x-robots-tag'], metaOf(text, 'robots')]).toEqual([200, 'noindex', 'noindex']);
    expect((await open('/sitemap.xml')).text).not.toContain(spaceId);
    expect((await open(`/sitemap/${spaceId}/1.xml`)).status).toBe(404);
  });
});

describe('a cached public page', () => {
  /** Whether the page is unchanged. */
  const isUnchanged = async (path: string, etag: string): Promise<boolean> => {
    const { status, text, headers } = await open(path).set('if-none-match', etag);
    if (status === 304) expect([Boolean(text), headers['etag']]).toEqual([false, etag]);
    return status === 304;
  };
  const etagOf = async (path: string): Promise<string> => (await open(path)).headers['etag'] ?? 'none';

  /** Locks the table until `release`: readers wait. */
  async function whileLocked(
    table: string,
    work: (release: () => Promise<unknown>) => Promise<void>,
  ): Promise<void> {
    const holder = await app.pool.connect();
    try {
      await holder.query(`begin; lock table ${table} in access exclusive mode`);
      await work(() => holder.query('rollback'));
    } finally {
      await holder.query('rollback');
      holder.release();
    }
  }
  const isWaitingForLock = async (): Promise<boolean> => {
    const { rowCount } = await app.pool.query(
      `select from pg_stat_activity
       where datname = current_database() and application_name = 'nimo api' and wait_event_type = 'Lock'`,
    );
    return rowCount !== 0;
  };

  it('is not sent again while unchanged, and gets a new nonce when it is', async () => {
    const path = `/question/${await ada.ask()}`;
    const first = await open(path);
    const etag = first.headers['etag'] ?? 'none';
    expect(etag).toMatch(/^W\/"[\w-]{27}"$/);
    for (const known of [etag, `"other", ${etag}`, etag.slice(2), '*']) {
      const again = await open(path).set('if-none-match', known);
      expect([again.status, Boolean(again.text)]).toEqual([304, false]);
      expect(again.headers).toMatchObject({ etag, 'cache-control': 'private, no-cache' });
      expect(again.headers).not.toHaveProperty('content-security-policy');
    }
    const nonce = /csp-nonce" content="([^"]+)"/;
    const other = await open(path).set('if-none-match', '"other"');
    expect(other.status).toBe(200);
    expect(other.headers['etag']).toBe(etag);
    expect(nonce.exec(other.text)?.[1]).not.toBe(nonce.exec(first.text)?.[1]);
  });

  it('answers HEAD without a body', async () => {
    const path = `/question/${await ada.ask()}`;
    const etag = await etagOf(path);
    const head = await app.http().head(path);
    expect([head.status, Boolean(head.text), head.headers['etag']]).toEqual([200, false, etag]);
    expect((await app.http().head(path).set('if-none-match', etag)).status).toBe(304);
    expect((await app.http().head(`/question/${randomUUID()}`)).status).toBe(404);
  });

  it('is sent again after any change to it', async () => {
    const questionId = await ada.ask({ body: '<p>Before</p>' });
    const path = `/question/${questionId}`;
    const answerId = await bob.answer(questionId);
    const commentId = await ada.commentOnAnswer(answerId, `Ask @[${bob.student.studentId}]`);
    const changes: [string, () => Promise<unknown>][] = [
      ['an edit', () => ada.perform(`updateQuestion(id: "${questionId}", title: "What, then?") { _id }`)],
      ['an edited answer', () => bob.perform(`updateAnswer(id: "${answerId}", body: "<p>No.</p>") { _id }`)],
      ['a vote', () => bob.perform(`upvoteQuestion(questionId: "${questionId}") { _id }`)],
      [
        'an acceptance',
        () => ada.perform(`acceptAnswer(answerId: "${answerId}", questionId: "${questionId}") { _id }`),
      ],
      ['a comment', () => bob.commentOnQuestion(questionId)],
      ['a removed comment', () => ada.perform(`deleteCommentById(id: "${commentId}") { _id }`)],
      [
        'another name',
        () =>
          ada.perform(
            `updateStudent(id: "${ada.student.studentId}", userName: "ada_${randomUUID().slice(0, 8)}") { _id }`,
          ),
      ],
      ['a removed answer', () => bob.perform(`deleteAnswerById(id: "${answerId}") { _id }`)],
    ];
    for (const [name, change] of changes) {
      const etag = await etagOf(path);
      expect([name, await isUnchanged(path, etag)]).toEqual([name, true]);
      await change();
      // Votes return before they are projected, and the reader is another client.
      await app.caughtUp();
      expect([name, await isUnchanged(path, etag)]).toEqual([name, false]);
    }
    const etag = await etagOf(path);
    await ada.perform(`deleteQuestionById(id: "${questionId}") { _id }`);
    const { status, headers } = await open(path).set('if-none-match', etag);
    expect([status, headers['etag']]).toEqual([404, undefined]);
  });

  it('is validated without reading its rows despite changes elsewhere', async () => {
    const questionId = await ada.ask();
    const path = `/question/${questionId}`;
    const etag = await etagOf(path);
    await bob.answer(await ada.ask());
    await ada.perform(`upvoteAnswer(answerId: "${await bob.answer(await ada.ask())}") { _id }`);
    await app.caughtUp();
    await whileLocked('read.questions', async () => {
      for (let time = 0; time < 3; time += 1) expect(await isUnchanged(path, etag)).toBe(true);
    });
    await bob.answer(questionId);
    expect(await isUnchanged(path, etag)).toBe(false);
  });

  it('is never reported unchanged by a process that has missed the change', async () => {
    const questionId = await ada.ask();
    const path = `/question/${questionId}`;
    const other = await app.anotherApi({ webFolder });
    try {
      const etag = await etagOf(path);
      const ask = () => fetch(`${other.url}${path}`, { headers: { 'if-none-match': etag } });
      await fetch(`${other.url}${path}`);
      expect((await ask()).status).toBe(304);
      await ada.perform(`updateQuestion(id: "${questionId}", title: "Once more?") { _id }`);
      const changed = await ask();
      expect([changed.status, (await changed.text()).includes('Once more?')]).toEqual([200, true]);
      await ada.perform(`deleteQuestionById(id: "${questionId}") { _id }`);
      expect((await ask()).status).toBe(404);
    } finally {
      await other.close();
    }
  });

  it('is read again after a projection it uses was rebuilt', async () => {
    const path = `/question/${await ada.ask()}`;
    const etag = await etagOf(path);
    await app.caughtUp();
    try {
      await whileLocked('read.questions', async (release) => {
        expect(await isUnchanged(path, etag)).toBe(true);
        await app.pool.query(
          `update read.projection_generations set generation = generation + 1000 where name = 'students' and status = 'live'`,
        );
        const unchanged = isUnchanged(path, etag);
        await eventually(isWaitingForLock);
        await release();
        expect(await unchanged).toBe(true);
      });
    } finally {
      await app.pool.query(
        `update read.projection_generations set generation = generation - 1000 where name = 'students' and status = 'live'`,
      );
    }
  });

  it('has no ETag on app-only pages', async () => {
    const { status, headers } = await open('/dashboard').set('if-none-match', '*');
    expect([status, headers['etag'], headers['cache-control']]).toEqual([200, undefined, 'no-cache']);
  });
});

async function filingIn(spaceId: string): Promise<[string, string]> {
  const subjectId = await app.execute<string>(
    new AddSubject(app.operator(), { spaceId, subjectName: 'Algebra', color: '2563eb' }),
  );
  const { topicId } = await app.execute<{ topicId: string }>(
    new CreateTopic(app.operator(), { spaceId, subjectId, topicName: 'Groups', topicType: 'PRIMARY' }),
  );
  return [subjectId, topicId];
}

describe('the app shell', () => {
  it.each(['*/*', 'text/html', 'application/json, */*;q=0.5'])('is served for Accept: %s', async (accept) => {
    const { status, headers } = await open('/dashboard', accept);
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers['x-robots-tag']).toBe('noindex');
  });
  it('is served without an Accept header', async () => {
    const response = await fetch(`${app.url}/login`, { headers: { accept: '' } });
    expect(response.status).toBe(200);
  });
  it.each(['/favicon.ico', '/assets/none', '/wp-login.php'])(
    'is not served for the file %s',
    async (path) => {
      expect((await open(path)).status).toBe(404);
    },
  );
  it('is not served to clients that accept only other types', async () => {
    expect((await open('/dashboard', 'application/json')).status).toBe(404);
  });
});

describe('search engines', () => {
  it('get a robots.txt that names non-pages and the sitemap', async () => {
    const { text, headers } = await open('/robots.txt');
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(text).toContain('Disallow: /graphql\n');
    expect(text).toContain('Sitemap: https://nimo.example/sitemap.xml');
  });
  it('find every visible question, by space', async () => {
    const [visible, deleted] = [await ada.ask(), await ada.ask()];
    await ada.perform(`deleteQuestionById(id: "${deleted}") { _id }`);
    const sitemap = `/sitemap/${community.spaceId}/1.xml`;
    expect((await open('/sitemap.xml')).text).toContain(`<loc>https://nimo.example${sitemap}</loc>`);
    const { text, headers } = await open(sitemap);
    expect(headers['content-type']).toBe('application/xml; charset=utf-8');
    expect(text).toContain(`<loc>https://nimo.example/question/${visible}</loc><lastmod>20`);
    expect(text).not.toContain(deleted);
  });
  it('are not sent unchanged files again', async () => {
    const sitemap = `/sitemap/${community.spaceId}/1.xml`;
    await ada.ask();
    const etags = new Map<string, string>();
    for (const path of ['/robots.txt', '/sitemap.xml', sitemap]) {
      const etag = (await open(path)).headers['etag'] ?? 'none';
      const again = await open(path).set('if-none-match', etag);
      expect([again.status, Boolean(again.text), again.headers['etag']]).toEqual([304, false, etag]);
      expect(again.headers['cache-control']).toBe('public, max-age=3600');
      etags.set(path, etag);
    }
    await ada.ask();
    expect((await open(sitemap).set('if-none-match', etags.get(sitemap) ?? '')).status).toBe(200);
  });
  it.each(['2.xml', '0.xml', '1.txt', '11.xml', '1'])('find no sitemap %s', async (file) => {
    expect((await open(`/sitemap/${community.spaceId}/${file}`)).status).toBe(404);
  });
});
