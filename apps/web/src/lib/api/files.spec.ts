import { beforeEach, describe, expect, it } from '@jest/globals';
import { chooseLanguage } from '../../i18n/i18n';
import { apiError, fakeApi } from '../../testing/fake-api';
import { errorText } from './errors';
import { uploadImage } from './files';

const store = 'https://store.example/pictures/incoming/key.webp?X-Amz-Signature=1';
const picture = new File([new Uint8Array(300)], 'fox.png', { type: 'image/png' });

interface Sent {
  url: string;
  method: string | undefined;
}

/** A file store next to the API, and the requests sent to both, except GraphQL. */
function withStore(storeStatus = 200, doneStatus = 200, done = '{"location":"/media/key.webp"}') {
  const api = fakeApi({
    getPresignedS3Url: () => ({ url: store, key: 'key.webp', doneUrl: '/upload/key.webp/done?signature=2' }),
  });
  const askApi = globalThis.fetch;
  const sent: Sent[] = [];
  globalThis.fetch = (input, init) => {
    const url = input instanceof Request ? input.url : input.toString();
    if (url === '/graphql') return askApi(input, init);
    sent.push({ url, method: init?.method });
    const isStore = url === store;
    return Promise.resolve(
      new Response(isStore ? '' : done, {
        status: isStore ? storeStatus : doneStatus,
      }),
    );
  };
  return { api, sent };
}

beforeEach(() => localStorage.clear());

describe('an image for a store', () => {
  it('is announced with type and length, stored, and confirmed', async () => {
    const { api, sent } = withStore();
    expect(await uploadImage(picture)).toBe('/media/key.webp');
    expect(api.calls('UploadSlot')[0]?.variables).toEqual({
      contentType: 'image/png',
      contentLength: 300,
      grant: null,
    });
    expect(sent).toEqual([
      { url: store, method: 'PUT' },
      { url: '/upload/key.webp/done?signature=2', method: 'POST' },
    ]);
  });

  it('makes the browser ask before leaving the page during the upload', async () => {
    withStore();
    const asks = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
    const first = uploadImage(picture);
    const stop = new AbortController();
    const second = uploadImage(picture, undefined, stop.signal);
    expect(asks()).toBe(true);
    await first;
    stop.abort();
    await second.catch(() => undefined);
    expect(asks()).toBe(false);
  });

  it('is not confirmed if the store refused it', async () => {
    const { sent } = withStore(403);
    await expect(uploadImage(picture)).rejects.toThrow('fox.png');
    expect(sent).toHaveLength(1);
  });

  it('fails if the API refuses what was stored', async () => {
    withStore(200, 400);
    await expect(uploadImage(picture)).rejects.toThrow('fox.png');
  });
});

/** An API error as the body of an HTTP response. */
const refusal = (message: string, rule: string) =>
  JSON.stringify({ errors: [{ message, extensions: { code: 'VALIDATION_FAILED', field: 'file', rule } }] });

describe('a refused image', () => {
  const sentence = 'Failed to upload file fox.png to S3';
  const empty = refusal('The file is empty.', 'IMAGE_EMPTY');
  const refused = async (onProgress?: (share: number) => void) => {
    const error: unknown = await uploadImage(picture, undefined, undefined, onProgress).catch(
      (thrown: unknown) => thrown,
    );
    return errorText(error);
  };

  it("shows the specification's message and the API's reason", async () => {
    withStore(200, 400, empty);
    expect(await refused()).toBe(`${sentence}. The file is empty.`);
  });

  it('shows the reason for getting no upload address', async () => {
    fakeApi({
      getPresignedS3Url: () => {
        throw apiError('Too many uploads. Try again later.', 'TOO_MANY_REQUESTS');
      },
    });
    expect(await refused()).toBe(`${sentence}. Too many uploads. Try again later.`);
  });

  it('shows the reason of an upload with progress', async () => {
    fakeApi({ getPresignedS3Url: () => ({ url: '/upload/refused', key: 'key.webp' }) });
    expect(await refused(() => undefined)).toBe(`${sentence}. This file is not a valid image.`);
  });

  it('shows no reason that only the store knows', async () => {
    withStore(403);
    expect(await refused()).toBe(sentence);
  });

  it.each([
    ['de', 'Die Datei ist leer.'],
    ['es', 'El archivo está vacío.'],
    ['it', 'Il file è vuoto.'],
    ['ru', 'Файл пуст.'],
  ] as const)('gives the reason in the language of the screen: %s', async (language, reason) => {
    withStore(200, 400, empty);
    await chooseLanguage(language);
    try {
      expect(await refused()).toContain(`. ${reason}`);
    } finally {
      await chooseLanguage('en');
    }
  });
});
