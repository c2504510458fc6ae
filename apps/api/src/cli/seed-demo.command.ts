import { SeedDemo } from '../features/demo/seed-demo.js';
import { inSession } from './cli-session.js';

export async function seedDemo(): Promise<void> {
  const text = await inSession(({ container }) => container.get(SeedDemo, { strict: false }).run());
  process.stdout.write(`${text}\n`);
}
