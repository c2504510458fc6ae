import { describe, expect, it } from '@jest/globals';
import { Metrics } from './metrics.js';

describe('a gauge with a collector', () => {
  const scrape = async (look: () => Promise<number>, labels: readonly 'label'[] = []): Promise<string> => {
    const metrics = new Metrics('test');
    metrics.watch('nimo_test', 'A test.', labels, async (gauge) => gauge.set(await look()));
    return metrics.registry.getSingleMetricAsString('nimo_test');
  };

  it('has the collected value', async () => {
    expect(await scrape(() => Promise.resolve(0))).toMatch(/^nimo_test\{process="test"\} 0$/m);
  });

  it('has no value, not 0, when collecting fails', async () => {
    expect(await scrape(() => Promise.reject(new Error('away')))).not.toMatch(/^nimo_test/m);
    expect(await scrape(() => Promise.reject(new Error('away')), ['label'])).not.toMatch(/^nimo_test/m);
  });

  it('has no value when the collector sets none', async () => {
    const metrics = new Metrics('test');
    metrics.watch('nimo_test', 'A test.', [], () => undefined);
    expect(await metrics.registry.getSingleMetricAsString('nimo_test')).not.toMatch(/^nimo_test/m);
  });
});
