import { startProduct } from '../test/product.js';

/** One product for all journeys; what it answers with is what Playwright calls at the end. */
export default async function setUp(): Promise<() => Promise<void>> {
  const product = await startProduct();
  process.env['NIMO_E2E_URL'] = product.url;
  process.env['NIMO_E2E_DATA_DIR'] = product.dataDir;
  return () => product.stop();
}
