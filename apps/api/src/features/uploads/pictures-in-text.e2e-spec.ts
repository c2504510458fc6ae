import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { bootApp, type BootedApp } from '../../../../../test/app.js';
import { newCommunity } from '../../../../../test/community.js';
import { newParticipants, Participant, type refusalOf } from '../../../../../test/participant.js';
import { PictureSweep } from './picture-sweep.js';

interface Post {
  readonly body: string;
  readonly imageUrls: readonly string[];
}

const SLOT = '{ getPresignedS3Url(contentType: "image/png") { url key } }';
const inText = (location: string, alt = 'a map'): string =>
  `<p>See <img src="${location}" alt="${alt}" /></p>`;
const quoted = (text: string): string => JSON.stringify(text);

let app: BootedApp;
let ada: Participant;
let bob: Participant;
let png: Buffer;
let webFolder: string;

beforeAll(async () => {
  webFolder = mkdtempSync(join(tmpdir(), 'nimo-web-'));
  writeFileSync(join(webFolder, 'index.html'), '<title>Nimo</title><div id="root"></div>');
  app = await bootApp({}, { webFolder });
  ({
    people: [ada, bob],
  } = await newParticipants(app, 2));
  png = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#c33' } })
    .png()
    .toBuffer();
});
afterAll(async () => {
  await app.close();
  rmSync(webFolder, { recursive: true, force: true });
});

async function uploaded(by = ada): Promise<string> {
  const { data } = await app.graphql<{ getPresignedS3Url: { url: string; key: string } }>(
    SLOT,
    {},
    by.student.token,
  );
  const { url, key } = data.getPresignedS3Url;
  expect((await app.http().put(url).set('content-type', 'image/png').send(png)).status).toBe(200);
  return `/media/${key}`;
}

const read = (id: string, by = ada) =>
  by.query<Post>(`getQuestionById(questionId: "${id}") { body imageUrls }`);
const edit = (id: string, change: string, by = ada) =>
  by.perform<Post>(`updateQuestion(id: "${id}", title: "Where?", ${change}) { body imageUrls }`);
/** Waits for the pictures projection, which edits do not wait for. */
const statusOf = async (url: string) => {
  await app.caughtUp();
  return (await app.http().get(url)).status;
};

describe('a picture in the text of a question', () => {
  it('is kept, counts as a picture of the question, and adds its description to the excerpt', async () => {
    const [inline, attached] = await Promise.all([uploaded(), uploaded()]);
    const id = await ada.ask({ body: inText(inline, 'quokkas &quot;two&quot;'), imageUrls: [attached] });
    const { body, imageUrls } = await read(id);
    expect(body).toBe(inText(inline, 'quokkas &quot;two&quot;'));
    expect(imageUrls).toEqual([attached, inline]);
    expect(await statusOf(inline)).toBe(200);
    const { excerpt } = await ada.query<{ excerpt: string }>(
      `getQuestionById(questionId: "${id}") { excerpt }`,
    );
    expect(excerpt).toBe('See quokkas "two"');
  });

  it('disappears when removed from the text, while attached pictures stay', async () => {
    const [first, second, attached] = await Promise.all([uploaded(), uploaded(), uploaded()]);
    const id = await ada.ask({ body: inText(first), imageUrls: [attached] });
    expect((await edit(id, `body: ${quoted(inText(second))}`)).imageUrls).toEqual([attached, second]);
    expect([await statusOf(first), await statusOf(second), await statusOf(attached)]).toEqual([
      404, 200, 200,
    ]);
    expect((await edit(id, `imageUrls: []`)).imageUrls).toEqual([second]);
    expect((await edit(id, `body: "", imageUrls: []`)).imageUrls).toEqual([]);
  });

  it('is deleted with its question', async () => {
    const picture = await uploaded();
    const id = await ada.ask({ body: inText(picture) });
    const age = () =>
      app.pool.query(
        `update state.upload set expires_at = expires_at - interval '2 days', unused_since = unused_since - interval '2 days' where key = $1`,
        [picture.slice('/media/'.length)],
      );
    const sweepTwice = async () => {
      for (const _ of [1, 2]) {
        await age();
        await app.caughtUp();
        // One batch at a time; an empty batch restarts the pass.
        await app.worker?.get(PictureSweep).sweep();
        await app.worker?.get(PictureSweep).sweep();
      }
    };
    const countFiles = async () =>
      (await app.pool.query('select from state.upload where key = $1', [picture.slice('/media/'.length)]))
        .rowCount;
    await sweepTwice();
    expect([await countFiles(), await statusOf(picture)]).toEqual([1, 200]);
    await ada.perform(`deleteQuestionById(id: "${id}") { _id }`);
    expect(await statusOf(picture)).toBe(404);
    await sweepTwice();
    expect(await countFiles()).toBe(0);
  });

  it('appears once on the public page', async () => {
    const [inline, attached] = await Promise.all([uploaded(), uploaded()]);
    const id = await ada.ask({ body: inText(inline), imageUrls: [attached] });
    const { text } = await app.http().get(`/question/${id}`).set('accept', 'text/html');
    const page = text.slice(text.indexOf('served-page-main'));
    expect(page.split(inline).length - 1).toBe(1);
    expect(page).toContain(`<img src="${inline}" alt="a map" />`);
    expect(page.split(attached).length - 1).toBe(1);
  });
});

describe('a picture in a text is rejected', () => {
  const refused = { code: 'VALIDATION_FAILED', field: 'body', message: expect.any(String) as unknown };
  const asked = async (changes: Record<string, unknown>): Promise<ReturnType<typeof refusalOf>> => {
    const { errors } = await ada.tryToAsk(changes);
    const { code, field } = errors?.[0]?.extensions ?? { code: 'none' };
    return { message: errors?.[0]?.message ?? '', code, ...(field !== undefined && { field }) };
  };

  it('if someone else uploaded it', async () => {
    const theirs = await uploaded(bob);
    expect(await asked({ body: inText(theirs) })).toEqual(refused);
    expect(await asked({ body: inText(`${theirs}?until=9999999999&amp;signature=x`) })).toEqual(refused);
    const id = await ada.ask();
    const body = quoted(inText(theirs));
    expect(
      await ada.refusal(`mutation { updateQuestion(id: "${id}", title: "Where?", body: ${body}) { _id } }`),
    ).toEqual(refused);
    expect(
      await ada.refusal(`mutation { createAnswer(questionId: "${id}", body: ${body}) { _id } }`),
    ).toEqual(refused);
    const answer = await ada.answer(id);
    expect(await ada.refusal(`mutation { updateAnswer(id: "${answer}", body: ${body}) { _id } }`)).toEqual(
      refused,
    );
  });

  it('if it was never uploaded', async () => {
    expect(await asked({ body: inText('/media/12345678-1234-1234-1234-123456789abc.webp') })).toEqual(
      refused,
    );
  });

  it('as the eleventh of its post, attached or inline', async () => {
    const pictures = await Promise.all(Array.from({ length: 11 }, () => uploaded()));
    const [eleventh = '', ...ten] = pictures;
    const body = inText(eleventh);
    expect(await asked({ body, imageUrls: ten })).toEqual({
      code: 'VALIDATION_FAILED',
      field: 'imageUrls',
      message: 'Allow maximum 10 images.',
    });
    const id = await ada.ask({ body: inText(ten[0] ?? ''), imageUrls: ten });
    expect((await read(id)).imageUrls).toHaveLength(10);
    const answer = pictures.map((picture) => inText(picture)).join('');
    expect(
      (await ada.refusal(`mutation { createAnswer(questionId: "${id}", body: ${quoted(answer)}) { _id } }`))
        .message,
    ).toBe('Allow maximum 10 images.');
  });
});

describe('a picture in an answer', () => {
  it('can be its only content', async () => {
    const picture = await uploaded(bob);
    const id = await ada.ask();
    const answer = await bob.answer(id, `<img src="${picture}" alt="">`);
    expect(
      await bob.perform(`updateAnswer(id: "${answer}", body: "<p>So</p>", imageUrls: []) { imageUrls }`),
    ).toEqual({
      imageUrls: [],
    });
  });
});

describe('in a members-only space', () => {
  it('is served at the signed URL, which edits may send back', async () => {
    const closed = await newCommunity(app, 1, { entry: 'REQUEST', publicPages: false });
    const [member] = closed.members;
    if (!member) throw new Error('the community has no members');
    const eve = new Participant(app, member, closed);
    const picture = await uploaded(eve);
    const id = await eve.ask({ body: inText(picture) });
    const { body } = await read(id, eve);
    const [, address = ''] = /src="([^"]+)"/.exec(body) ?? [];
    expect(address).toMatch(/^\/media\/[^?]+\?until=\d+&amp;signature=[\w-]+$/);
    expect([await statusOf(picture), await statusOf(address.replaceAll('&amp;', '&'))]).toEqual([404, 200]);
    const edited = await edit(id, `body: ${quoted(`${body}<p>More.</p>`)}`, eve);
    expect(edited.imageUrls).toHaveLength(1);
    const { rows } = await app.pool.query<{ body: string }>(
      'select body from read.questions where question_id = $1',
      [id],
    );
    expect(rows[0]?.body).toBe(`${inText(picture)}<p>More.</p>`);
  });
});
