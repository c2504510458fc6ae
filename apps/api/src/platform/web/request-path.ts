/**
 * The path of a request as it came, without what stands behind `?`. Not by `new URL`: what a client writes there need not be an
 * address, and `//` throws.
 */
export function requestPath(url: string | undefined): string {
  return url?.split(/[?#]/, 1)[0] ?? '';
}
