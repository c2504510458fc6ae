/** Texts of the bar for a server that is away, late or replaced by another version. */
export const connection = {
  offline: 'You are offline. Anything you’ve written is kept.',
  unreachable: 'Nimo cannot be reached. Trying again…',
  unsent: 'Not sent yet. Nimo will send it when the connection is back.',
  late: 'Your last change is saved. It may not show everywhere yet.',
  newVersion: 'A new version of Nimo is available.',
} as const;
