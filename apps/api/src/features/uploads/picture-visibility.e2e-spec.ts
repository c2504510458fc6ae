import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { bootApp, type TestApp } from '../../../../../test/app.js';
import { concurrently } from '../../../../../test/concurrently.js';
import { newParticipants, type Participant } from '../../../../../test/participant.js';
import { S3Double } from '../../../../../test/servers/s3/s3-double.js';
import { PictureSweep } from './picture-sweep.js';

const SLOT = '{ getPresignedS3Url(contentType: "image/png") { url key } }';
const CASE = 'getModerationCase(postId: $post) { imageUrls revision openReports }';

let png: Buffer;
beforeAll(async () => {
  png = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#c33' } })
    .png()
    .toBuffer();
});

describe.each([['a folder'], ['an S3 store']])('a picture in %s', (where) => {
  let app: TestApp;
  let store: S3Double | undefined;
  let ada: Participant;
  let bob: Participant;
  let mod: Participant;
  beforeAll(async () => {
    store = where === 'an S3 store' ? await S3Double.start() : undefined;
    app = await bootApp(store?.environment);
    const { community, people } = await newParticipants(app, 3);
    [ada, bob, mod] = people;
    await app.grantRole(mod.student.studentId, 'MODERATOR', community.spaceId);
  });
  afterAll(async () => {
    await app.close();
    await store?.stop();
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

  const thumb = (url: string): string => url.replace('/media/', '/media/thumb/');
  const statusOf = async (url: string): Promise<number> => {
    const { status } = await app.http().get(url).redirects(0);
    // A redirect to the store counts as served.
    return status === 302 ? 200 : status;
  };
  /** Waits for the pictures projection, which edits do not wait for. */
  const isServed = async (url: string): Promise<boolean> => {
    await app.caughtUp();
    const both = [await statusOf(url), await statusOf(thumb(url))];
    expect(both[0]).toBe(both[1]);
    return both[0] === 200;
  };

  /** Makes all uploads older. */
  const age = (days: number) =>
    app.pool.query(
      `update state.upload set expires_at = expires_at - make_interval(days => $1), unused_since = unused_since - make_interval(days => $1)`,
      [days],
    );
  /** Waits for the projections first, because nothing is swept while they lag. */
  const sweep = async (): Promise<number> => {
    if (!app.worker) throw new Error('no worker is running');
    await app.caughtUp();
    return app.worker.get(PictureSweep).sweep();
  };
  const isStored = async (url: string): Promise<boolean> => {
    const { rowCount } = await app.pool.query('select from state.upload where key = $1', [
      url.slice('/media/'.length),
    ]);
    return rowCount === 1;
  };
  const report = (by: Participant, id: string) =>
    by.perform(`reportPost(postId: "${id}", postType: QUESTION, reason: "Its spam") { _id }`);
  const caseOf = (id: string) =>
    mod.query<{ imageUrls: string[]; revision: number; openReports: number }>(
      CASE.replace('$post', `"${id}"`),
    );
  async function ruling(operation: string, id: string): Promise<void> {
    const { revision, openReports } = await caseOf(id);
    await mod.perform(
      `${operation}(postId: "${id}", reason: "spam", seen: { revision: ${revision}, openReports: ${openReports} }) { _id }`,
    );
  }

  it('is cached privately and revalidated every minute', async () => {
    const url = await uploaded();
    await ada.ask({ imageUrls: [url] });
    const { headers } = await app.http().get(url).redirects(0);
    expect(headers['cache-control']).toBe('private, max-age=60, must-revalidate');
    const again = await app
      .http()
      .get(url)
      .set('if-none-match', headers['etag'] ?? '')
      .redirects(0);
    expect(again.status).toBe(304);
    if (store) {
      const expires = new URL(headers['location'] ?? '').searchParams.get('X-Amz-Expires');
      expect(Number(expires)).toBeLessThanOrEqual(120);
    }
  });

  it('disappears with a deleted question, as do those of its answers', async () => {
    const [own, others, answers] = await Promise.all([uploaded(), uploaded(), uploaded(bob)]);
    const ownId = await ada.ask({ imageUrls: [own] });
    const othersId = await ada.ask({ imageUrls: [others] });
    const { data } = await bob.mutate(
      `createAnswer(questionId: "${othersId}", body: "<p>So.</p>", imageUrls: ["${answers}"]) { _id }`,
    );
    expect(data.done._id).toBeDefined();
    expect([await isServed(own), await isServed(others), await isServed(answers)]).toEqual([
      true,
      true,
      true,
    ]);
    await ada.perform(`deleteQuestionById(id: "${ownId}") { _id }`);
    await mod.perform(`deleteQuestionById(id: "${othersId}", reason: "off topic") { _id }`);
    expect([await isServed(own), await isServed(others), await isServed(answers)]).toEqual([
      false,
      false,
      false,
    ]);
    expect((await app.http().get(own).set('if-none-match', `"pictures/x"`)).status).toBe(404);
  });

  it('disappears when removed from its post or replaced in a profile', async () => {
    const [first, second] = await Promise.all([uploaded(), uploaded()]);
    const id = await ada.ask({ imageUrls: [first, second] });
    await ada.perform(`updateQuestion(id: "${id}", title: "Is it a set?", imageUrls: ["${second}"]) { _id }`);
    expect([await isServed(first), await isServed(second)]).toEqual([false, true]);
    const [old, current] = await Promise.all([uploaded(), uploaded()]);
    for (const url of [old, current]) {
      await ada.perform(`updateStudent(id: "${ada.student.studentId}", realProfilePicUrl: "${url}") { _id }`);
    }
    expect([await isServed(old), await isServed(current)]).toEqual([false, true]);
  });

  it('reappears when a removal is reversed and stays visible to moderators until then', async () => {
    const url = await uploaded();
    const id = await ada.ask({ imageUrls: [url] });
    await report(bob, id);
    await app.caughtUp();
    await ruling('upholdReports', id);
    expect(await isServed(url)).toBe(false);
    const [signed = ''] = (await caseOf(id)).imageUrls;
    expect([await statusOf(signed), await statusOf(thumb(signed))]).toEqual([200, 200]);
    expect(await statusOf(signed.replace(/signature=.{4}/, 'signature=AAAA'))).toBe(404);
    expect(await statusOf(signed.replace(/until=\d+/, 'until=99999999999'))).toBe(404);
    // Still reversible, so nothing is deleted.
    for (let round = 0; round < 3; round += 1) {
      await age(2);
      await sweep();
    }
    expect(await isStored(url)).toBe(true);
    await ruling('reverseUpholding', id);
    expect(await isServed(url)).toBe(true);
  });

  it('is deleted from the store if unused, and kept if shown', async () => {
    const [orphan, deleted, shown] = await Promise.all([uploaded(), uploaded(), uploaded()]);
    const id = await ada.ask({ imageUrls: [deleted] });
    await ada.ask({ imageUrls: [shown] });
    await ada.perform(`deleteQuestionById(id: "${id}") { _id }`);
    // The author may still be about to post it.
    await sweep();
    expect([await isServed(orphan), await isStored(orphan)]).toEqual([true, true]);
    await age(2);
    expect(await isServed(orphan)).toBe(false);
    await sweep();
    expect([await isStored(orphan), await isStored(deleted)]).toEqual([true, true]);
    await age(2);
    expect(await sweep()).toBeGreaterThanOrEqual(2);
    expect([await isStored(orphan), await isStored(deleted), await isStored(shown)]).toEqual([
      false,
      false,
      true,
    ]);
    expect(await isServed(shown)).toBe(true);
    if (store) {
      const kept = [...store.objects.keys()];
      for (const url of [orphan, deleted]) {
        expect(kept.filter((path) => path.endsWith(url.slice('/media/'.length)))).toEqual([]);
      }
    }
  });

  it('keeps its file if used again before the deadline', async () => {
    const url = await uploaded();
    await age(2);
    await sweep();
    await ada.ask({ imageUrls: [url] });
    await age(2);
    await sweep();
    expect([await isStored(url), await isServed(url)]).toEqual([true, true]);
  });

  it('is not deleted while the projection is behind the log', async () => {
    const url = await uploaded();
    await age(2);
    await sweep();
    await age(2);
    await app.pool.query(
      `update read.projection_generations set position = '' where name = 'pictures' and status = 'live'`,
    );
    expect(await sweep()).toBe(0);
    expect(await isStored(url)).toBe(true);
  });
});

describe('the upload quota', () => {
  it('applies per day, even if spread over the hours', async () => {
    const app = await bootApp({ RATE_LIMIT_FACTOR: '1' });
    const { student } = (await newParticipants(app, 1)).people[0];
    const isRefused = async (): Promise<boolean> =>
      (await app.graphql(SLOT, {}, student.token)).errors !== undefined;
    const acceptedPerHour: number[] = [];
    for (let hour = 0; hour < 4; hour += 1) {
      const refusals = await concurrently([...Array(120).keys()], isRefused);
      acceptedPerHour.push(refusals.filter((isOne) => !isOne).length);
      await app.pool.query(`delete from state.throttle where key like 'upload:%'`);
    }
    expect(acceptedPerHour).toEqual([100, 100, 100, 0]);
    await app.close();
  });
});
