import { wholeOf } from '@nimo/domain';
import { closingOf } from './clean-html.js';

/** A tag or an entity that the cut went through. */
const TORN_END = /(<[^<>]*|&[^;\s]{0,10})$/;

/** @param html the beginning of a stored body, cut anywhere. Closes what the cut left open. */
export function mendCutHtml(html: string): string {
  const whole = TORN_END.test(html) ? html.replace(TORN_END, '') : wholeOf(html);
  return `${whole}…${closingOf(whole)}`;
}
