/** SQL condition: a row of `suspensions` still applies. */
export const isInForce = (alias: string): string => `(${alias}.ends_at is null or ${alias}.ends_at > now())`;
