const scheme = /^(?:https?:\/\/|mailto:)/i;
// A place of our own, not of another host: `//` would be one.
const ownPlace = /^(?:\/(?![/\\])|#)/;

/** The address as it is stored: https unless something else that is allowed was written. */
export function linkAddress(text: string): string {
  const address = text.trim();
  return address === '' || scheme.test(address) ? address : `https://${address.replace(/^[a-z]+:/i, '')}`;
}

/** Whether a link may lead there: never to `javascript:`, `data:` and their like, however they are spelled. */
export function isAllowedAddress(address: string): boolean {
  return scheme.test(address) || ownPlace.test(address);
}
