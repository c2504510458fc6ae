import { sanitiseRichText } from './sanitise.js';

/** A tag or an entity that the cut went through. */
const TORN_END = /(<[^>]*|&[^;\s]{0,10})$/;

/** @param html the beginning of a sanitised body, cut anywhere. Closes what the cut left open. */
export const mendCutHtml = (html: string): string => sanitiseRichText(`${html.replace(TORN_END, '')}…`);
