/** The way through the moderators' and maintainers' areas. */
export const areas = {
  menu: 'Areas',
  moderation: 'Moderation',
  audit: 'Audit',
  maintenance: 'Maintenance',
  space: 'Space',
  sections: {
    queue: 'Reported posts',
    patterns: 'Vote patterns',
    cases: 'Invalid votes',
    history: 'History',
    asOf: 'As of then',
    proof: 'Proof',
    projections: 'Projections',
    scoring: 'Scoring rules',
    spaces: 'Spaces and subjects',
    avatars: 'Avatars',
    roles: 'Roles',
    students: 'Students',
    news: 'News',
  },
} as const;
