import { registry } from './registry.js';
import type { Setting } from './setting.js';

/** The content of `.env.example`. */
export function envExample(): string {
  const entries = Object.values<Setting<unknown>>(registry).map(
    ({ env, rule, description, fallback }) => `# ${description}\n# (${rule})\n# ${env}=${fallback ?? ''}`,
  );
  return `# All settings, each optional: without any, everything runs on this machine. Copy to .env and uncomment the ones you set.\n\n${entries.join('\n\n')}\n`;
}
