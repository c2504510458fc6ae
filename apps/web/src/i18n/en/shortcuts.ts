/** The help sheet of the keyboard shortcuts. */
export const shortcuts = {
  title: 'Keyboard shortcuts',
  menuItem: 'Keyboard shortcuts',
  switch: 'Single-key shortcuts',
  switchHint: 'Turn them off if keys are pressed by accident, for example with speech input.',
  then: 'then',
  or: 'or',
  groups: { anywhere: 'Anywhere', lists: 'Questions and search hits', going: 'Go to' },
  actions: {
    search: 'Search',
    ask: 'Ask a question',
    help: 'Show this help',
    next: 'Next',
    previous: 'Previous',
    open: 'Open',
    back: 'Back',
    close: 'Close the question beside the list',
    toDashboard: 'Nimo Ask',
    toLeaderboard: 'Leaderboard',
    toProfile: 'My Profile',
    toSpaces: 'Spaces',
  },
} as const;
