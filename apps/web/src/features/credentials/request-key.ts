/** Ties the codes that this tab asks for to it: what others ask for and guess touches them not, whatever address this device has by then. */
export const requestKey: string = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
  byte.toString(16).padStart(2, '0'),
).join('');
