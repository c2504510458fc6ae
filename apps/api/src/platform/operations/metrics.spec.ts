import { describe, expect, it } from '@jest/globals';
import { Metrics } from './metrics.js';

describe('a gauge that is looked up', () => {
  const told = async (look: () => Promise<number>, labels: readonly 'part'[] = []): Promise<string> => {
    const metrics = new Metrics('test');
    metrics.watch('nimo_test', 'A test.', labels, async (gauge) => gauge.set(await look()));
    return metrics.registry.getSingleMetricAsString('nimo_test');
  };

  it('has the value that was found', async () => {
    expect(await told(() => Promise.resolve(0))).toMatch(/^nimo_test\{process="test"\} 0$/m);
  });

  it('has none where it cannot be looked up: 0 would be a value', async () => {
    expect(await told(() => Promise.reject(new Error('away')))).not.toMatch(/^nimo_test/m);
    expect(await told(() => Promise.reject(new Error('away')), ['part'])).not.toMatch(/^nimo_test/m);
  });

  it('has none where there is nothing to tell', async () => {
    const metrics = new Metrics('test');
    metrics.watch('nimo_test', 'A test.', [], () => undefined);
    expect(await metrics.registry.getSingleMetricAsString('nimo_test')).not.toMatch(/^nimo_test/m);
  });
});
