/**
 * The raw path of a request, without query and fragment. Not parsed by `new URL`, which throws for malformed paths such as `//`.
 */
export function requestPath(url: string | undefined): string {
  return url?.split(/[?#]/, 1)[0] ?? '';
}
