import { TypesenseDouble } from '@nimo/search/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bootApp, type TestApp } from '../../../../../test/app.js';
import { newCommunity } from '../../../../../test/community.js';
import { Participant } from '../../../../../test/participant.js';
import { eventually } from '@nimo/testing';

interface Found {
  readonly hits: readonly { readonly _id: string }[];
  readonly degraded: boolean;
}

let double: TypesenseDouble;
let app: TestApp;
let ada: Participant;
let spaceId: string;
/** The clock advances only in tests, so that retry timing does not depend on the machine. */
const startTime = Date.now();
let elapsedMs = 0;
beforeAll(async () => {
  double = await TypesenseDouble.start();
  const settings = { TYPESENSE_URL: double.url, TYPESENSE_API_KEY: double.apiKey };
  app = await bootApp(settings, { clock: () => new Date(startTime + elapsedMs) });
  const community = await newCommunity(app, 1);
  const [first] = community.members;
  if (!first) throw new Error('no members');
  ada = new Participant(app, first, community);
  ({ spaceId } = community);
});
afterAll(async () => {
  await app.close();
  await double.down();
});

const find = async (text: string) => {
  const { hits, degraded } = await ada.query<Found>(
    `searchQuestions(search: "${text}", queryVals: {space: "${spaceId}"}) { hits { _id } degraded }`,
  );
  return { ids: hits.map(({ _id }) => _id), degraded };
};

const finds = (text: string, ids: readonly string[], degraded: boolean) =>
  eventually(async () => {
    // An unavailable engine is retried after three seconds.
    if (!degraded) elapsedMs += 4_000;
    return JSON.stringify(await find(text)) === JSON.stringify({ ids, degraded });
  });

describe('searching with Typesense', () => {
  it('falls back to the embedded engine while Typesense is down and returns to it afterwards', async () => {
    const first = await ada.ask({ title: 'Hyperbolic tilings' });
    await finds('hyperbolic', [first], false);
    expect(double.searches.length).toBeGreaterThan(0);

    await double.down();
    const second = await ada.ask({ title: 'Penrose tilings' });
    await finds('hyperbolc', [first], true);
    await finds('penrose', [second], true);

    await double.up();
    await finds('penrose', [second], false);
  });

  it('answers while the server hangs, without every search waiting for it', async () => {
    const question = await ada.ask({ title: 'Voronoi diagrams' });
    await finds('voronoi', [question], false);
    double.injectFault('hangs');
    expect(await find('voronoi')).toEqual({ ids: [question], degraded: true });
    const searches = double.searches.length;
    expect(await find('voronoi')).toEqual({ ids: [question], degraded: true });
    expect(double.searches.length).toBe(searches);
    await double.up();
    await finds('voronoi', [question], false);
  });
});
