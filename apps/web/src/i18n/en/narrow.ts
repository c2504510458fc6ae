/** What a window under 1024 px shows first. */
export const narrow = {
  text: 'Nimo is available on desktop, or as the student mobile app in the store.',
  continue: 'Continue in the browser',
} as const;
