/** Placeholder in a key of totals: all subjects or all topics. */
export const ALL = '';
