export function compareSchemas(
  published: string,
  current: string,
  announcements: string,
): {
  readonly unannounced: readonly string[];
  readonly dangerous: readonly string[];
  readonly obsolete: readonly string[];
};
