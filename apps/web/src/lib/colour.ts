const hex = /^(?:[0-9a-f]{3}|[0-9a-f]{6})$/i;
const neutral = '#64748b';

/** A stored colour (hex without #) as CSS; a neutral one for anything else, so that nothing foreign reaches a style. */
export function cssHex(colour: string | null | undefined): string {
  return hex.test(colour ?? '') ? `#${colour}` : neutral;
}
