/** One digit after the point: expectations are rarely whole. */
export const decimal = (value: number, language: string): string =>
  new Intl.NumberFormat(language, { maximumFractionDigits: 1 }).format(value);
