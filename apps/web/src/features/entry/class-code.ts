/** Halves a class code for reading: `KDT-W7X`. Codes of earlier versions have eight characters. */
export function formatCode(code: string): string {
  const half = code.length / 2;
  return `${code.slice(0, half)}-${code.slice(half)}`;
}
