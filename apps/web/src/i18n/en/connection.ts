/** What the bar says when the server is away, is late or has become another. */
export const connection = {
  offline: 'You are offline. What you have written stays here.',
  unreachable: 'Nimo cannot be reached. Trying again…',
  late: 'What you did last is saved. It may not show everywhere yet.',
  newVersion: 'A new version of Nimo is available.',
} as const;
