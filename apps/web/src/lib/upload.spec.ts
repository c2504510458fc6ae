import { beforeEach, describe, expect, it } from '@jest/globals';
import { fakeApi } from '../testing/fake-api';
import { uploadImage } from './upload';

const store = 'https://store.example/pictures/incoming/key.webp?X-Amz-Signature=1';
const picture = new File([new Uint8Array(300)], 'fox.png', { type: 'image/png' });

interface Sent {
  url: string;
  method: string | undefined;
}

/** A store beside the api, and what was sent to both apart from questions. */
function withStore(storeStatus = 200, doneStatus = 200) {
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
      new Response(isStore ? '' : '{"location":"/media/key.webp"}', {
        status: isStore ? storeStatus : doneStatus,
      }),
    );
  };
  return { api, sent };
}

beforeEach(() => localStorage.clear());

describe('a picture for a store', () => {
  it('is announced by type and length, put there, and then told of', async () => {
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

  it('is not told of where the store did not take it', async () => {
    const { sent } = withStore(403);
    await expect(uploadImage(picture)).rejects.toThrow('fox.png');
    expect(sent).toHaveLength(1);
  });

  it('has not arrived where the api refuses what is there', async () => {
    withStore(200, 400);
    await expect(uploadImage(picture)).rejects.toThrow('fox.png');
  });
});
