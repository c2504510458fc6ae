export const leaderboard = {} as const;
