/** Counts the changes of one import, by kind. */
export type NoteChange = (what: string, count?: number) => void;

/**
 * Addresses as they read at the source, made absolute. A place within the source's page leads nowhere here.
 *
 * @param origin the source's address; without it what needs one becomes text
 */
export const absoluteAddresses =
  (origin: string | undefined, note: NoteChange) =>
  (address: string, of: 'link' | 'picture'): string | undefined => {
    const given = address.trim();
    if (URL.canParse(given)) return given;
    const absolute = given.startsWith('#') ? undefined : absoluteAt(given, origin);
    note(`relative ${of}s ${absolute === undefined ? 'turned into text' : 'made absolute'}`);
    return absolute;
  };

function absoluteAt(address: string, origin: string | undefined): string | undefined {
  const base = origin ?? (/^[/\\]{2}/.test(address) ? 'https://localhost' : undefined);
  return base !== undefined && URL.canParse(address, base) ? new URL(address, base).href : undefined;
}
