export const notFound = {
  title: 'Page not found',
  heading: 'There is nothing here',
  text: 'The address may be mistyped, or the page has moved.',
  toSpaces: 'Go to Spaces',
} as const;
