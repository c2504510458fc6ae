export const spaces = {} as const;
