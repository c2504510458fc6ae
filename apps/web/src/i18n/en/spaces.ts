export const spaces = {
  title: 'Spaces',
  lead: 'A space is a school or a community. Pick one to ask and answer in.',
  mySpaces: 'My Spaces',
  allSpaces: 'All Spaces',
  joinSpace: 'Join Space',
  joined: 'Joined',
  members_one: '{{count}} member',
  members_other: '{{count}} members',
  join: {
    title: 'Awesome!',
    text: 'You are about to join {{name}}.',
    cancel: 'Cancel',
    confirm: 'Join Space',
  },
  emptyTitle: 'There is no space yet',
  emptyText: 'Spaces are set up by the people who run Nimo. Come back soon.',
} as const;
