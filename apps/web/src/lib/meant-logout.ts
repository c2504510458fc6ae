/** Goes with the way to /logout of whoever pressed a button of ours; a link from elsewhere, or in a post, cannot carry it. */
export const meantLogout = { state: { isLogoutMeant: true } } as const;

export const isLogoutMeant = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'isLogoutMeant' in state && state.isLogoutMeant === true;
