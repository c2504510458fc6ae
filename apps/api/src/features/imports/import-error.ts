/** Something about an import that the person who gave it can put right: one clear line. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
}
