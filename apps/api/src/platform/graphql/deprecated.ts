/** Why a field is to go, since when, and until when it stays at least: what is better stands beside it. */
export const deprecated = (since: string, until: string, instead: string): string =>
  `Since ${since}, stays until ${until} at least. ${instead}`;
