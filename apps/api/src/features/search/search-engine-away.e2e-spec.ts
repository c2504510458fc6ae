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
/** Stands still but for what a test adds: how soon the engine is asked again must not depend on the machine. */
const began = Date.now();
let ahead = 0;
beforeAll(async () => {
  double = await TypesenseDouble.start();
  const settings = { TYPESENSE_URL: double.url, TYPESENSE_API_KEY: double.apiKey };
  app = await bootApp(settings, { clock: () => new Date(began + ahead) });
  const community = await newCommunity(app, 1);
  const [first] = community.members;
  if (!first) throw new Error('there is no member');
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
    // An engine that was away is asked again after three seconds.
    if (!degraded) ahead += 4_000;
    return JSON.stringify(await find(text)) === JSON.stringify({ ids, degraded });
  });

describe('searching with Typesense', () => {
  it('finds what was just asked there, by the embedded engine while it is away, and there again once it is back', async () => {
    const asked = await ada.ask({ title: 'Hyperbolic tilings' });
    await finds('hyperbolic', [asked], false);
    expect(double.searches.length).toBeGreaterThan(0);

    await double.down();
    const meanwhile = await ada.ask({ title: 'Penrose tilings' });
    await finds('hyperbolc', [asked], true);
    await finds('penrose', [meanwhile], true);

    await double.up();
    await finds('penrose', [meanwhile], false);
  });

  it('answers while the server hangs, and does not let everybody wait for it', async () => {
    const asked = await ada.ask({ title: 'Voronoi diagrams' });
    await finds('voronoi', [asked], false);
    double.disturb('hangs');
    expect(await find('voronoi')).toEqual({ ids: [asked], degraded: true });
    const searches = double.searches.length;
    expect(await find('voronoi')).toEqual({ ids: [asked], degraded: true });
    expect(double.searches.length).toBe(searches);
    await double.up();
    await finds('voronoi', [asked], false);
  });
});
