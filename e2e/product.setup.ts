import { startProduct } from '../test/product.js';

/** One product for all journeys; what it answers with is what Playwright calls at the end. */
export default async function setUp(): Promise<() => Promise<void>> {
  // Against a product that runs already, while journeys are written.
  if (process.env['NIMO_E2E_URL'] !== undefined) return () => Promise.resolve();
  const product = await startProduct({ RATE_LIMIT_FACTOR: '1000' });
  process.env['NIMO_E2E_URL'] = product.url;
  process.env['NIMO_E2E_DATA_DIR'] = product.dataDir;
  return () => product.stop();
}
