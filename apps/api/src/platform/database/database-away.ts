import { kindOfError } from '@nimo/event-store';

/** The database did not answer, so that the same request may well succeed in a moment. */
export const isDatabaseAway = (error: unknown): boolean => kindOfError(error) === 'away';
