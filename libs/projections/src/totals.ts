/** In a key of totals: over all subjects, or over all topics. */
export const ALL = '';
