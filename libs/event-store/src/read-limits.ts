const DEFAULT_BATCH_SIZE = 500;

export function limitOf(limit: number | undefined): number {
  if (limit === undefined) return Number.MAX_SAFE_INTEGER;
  if (!Number.isSafeInteger(limit) || limit < 0) throw new RangeError(`not a limit: ${limit}`);
  return limit;
}

export function batchSizeOf(batchSize = DEFAULT_BATCH_SIZE): number {
  if (!Number.isSafeInteger(batchSize) || batchSize < 1)
    throw new RangeError(`not a batch size: ${batchSize}`);
  return batchSize;
}
