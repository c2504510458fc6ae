/** What the bar says when the server is away, or has become another. */
export const connection = {
  offline: 'You are offline. What you have written stays here.',
  unreachable: 'Nimo cannot be reached. Trying again…',
  newVersion: 'A new version of Nimo is available.',
} as const;
