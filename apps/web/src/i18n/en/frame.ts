/** What surrounds every screen behind the log-in. */
export const frame = {
  menu: {
    label: 'Main menu',
    goToSpaces: 'Go to Spaces',
    nimoAsk: 'Nimo Ask',
    notifications: 'Notifications',
    leaderboard: 'Leaderboard',
    myProfile: 'My Profile',
    exitSpace: 'Exit Space',
    logout: 'Logout',
  },
  announcements: 'Announcements',
  userMenu: { label: 'Account of {{name}}', settings: 'Settings', logout: 'Logout' },
  colourScheme: { toDark: 'Switch to dark mode', toLight: 'Switch to light mode' },
  logout: {
    title: 'Logout',
    text: 'Do you really want to logout?',
    confirm: 'Logout',
    inProgress: 'Logging you out…',
  },
} as const;
