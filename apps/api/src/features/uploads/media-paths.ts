const KEY = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.webp$/;

/** Keys come from addresses that anybody can write. */
export const isMediaKey = (key: string): boolean => KEY.test(key);

export const locationOf = (key: string): string => `/media/${key}`;

/** The key of a location of ours, undefined for any other address. */
export function keyAt(location: string): string | undefined {
  const key = location.startsWith('/media/') ? location.slice('/media/'.length) : '';
  return isMediaKey(key) ? key : undefined;
}

/** The location that a client means: by the key of an upload, or by an address of ours, whatever right goes with it. */
export const locationIn = (given: string): string => {
  if (isMediaKey(given)) return locationOf(given);
  return given.startsWith('/media/') ? given.replace(/\?.*$/s, '') : given;
};

export const STORED_AT = {
  incoming: (key: string) => `incoming/${key}`,
  picture: (key: string) => `pictures/${key}`,
  thumbnail: (key: string) => `thumbnails/${key}`,
} as const;
