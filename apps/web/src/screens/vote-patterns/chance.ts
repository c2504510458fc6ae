import { wholeNumber } from '../../lib/format';

const counted = 6;

/** As "1,250" of "1 in 1,250", or as a power of ten where nobody would count the digits. */
export function oneIn(chanceLog10: number, language: string): string {
  if (!Number.isFinite(chanceLog10)) return '10³⁰⁰';
  if (-chanceLog10 <= counted) return wholeNumber(Math.round(10 ** -chanceLog10), language);
  const power = String(Math.floor(-chanceLog10));
  return `10${[...power].map((digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)] ?? '').join('')}`;
}
