import { registry } from './registry.js';
import type { Setting } from './setting.js';

/** The text of `.env.example`: every setting with its rule, those with a default commented out. */
export function envExample(): string {
  const entries = Object.values<Setting<unknown>>(registry).map(
    ({ env, rule, description, fallback }) => `# ${description}\n# (${rule})\n# ${env}=${fallback ?? ''}`,
  );
  return `# All settings; with none of them the whole product runs on this machine. Copy to .env and uncomment what you set.\n\n${entries.join('\n\n')}\n`;
}
