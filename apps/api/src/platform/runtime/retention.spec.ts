import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { entryOf, EVENT_TYPES } from '@nimo/domain';
import { RETENTION_REASONS, retentionOf } from './retention.js';
import { QUEUE_NAMES } from '../adapters/jobs/job-queues.js';
import { TABLE_GRANTS } from '../database/roles.js';
import { exportPath } from '../../features/own-data/own-exports.js';
import { STORAGE_PATHS } from '../../features/uploads/picture-access.js';

// `roles.int-spec.ts` checks that TABLE_GRANTS lists all tables.
const tables = Object.keys(TABLE_GRANTS).flatMap((table) =>
  table.startsWith('state.') ? [table.slice('state.'.length)] : [],
);
const swept = Object.keys(retentionOf({ securityLogDays: 180 }));
const root = join(import.meta.dirname, '../../../../..');
const privacy = readFileSync(join(root, 'docs/privacy.md'), 'utf8');

describe('tables of state', () => {
  it('have a retention or a reason to be kept', () => {
    expect([...swept, ...Object.keys(RETENTION_REASONS)].sort()).toEqual([...tables].sort());
  });

  it.each(tables)('are documented in docs/privacy.md: state.%s', (table) => {
    expect(privacy).toContain(`\`${table}\``);
  });

  it.each(Object.entries(retentionOf({ securityLogDays: 180 })))(
    'have the retention documented in docs/privacy.md: %s',
    (table, { period }) => {
      const line = privacy.split('\n').find((each) => each.includes(`\`${table}\``));
      expect(line).toContain(period);
    },
  );
});

describe('encrypted event fields', () => {
  it.each(EVENT_TYPES.filter((type) => entryOf(type)?.sealed))(
    'are documented in docs/privacy.md: %s',
    (type) => {
      const fields = (entryOf(type)?.sealed ?? []).flatMap(({ gone }) => Object.keys(gone));
      const lines = privacy.split('\n').filter((line) => line.includes(`\`${type}\``));
      for (const field of fields)
        expect([type, field, lines.some((line) => line.includes(`\`${field}\``))]).toEqual([
          type,
          field,
          true,
        ]);
    },
  );
});

describe('what is kept outside of tables', () => {
  const source = readdirSync(join(root, 'apps/api/src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('spec.ts'))
    .map((path) => readFileSync(join(root, 'apps/api/src', path), 'utf8'))
    .join('\n');
  const namesIn = (pattern: RegExp): string[] => [
    ...new Set([...source.matchAll(pattern)].map(([, name]) => name ?? '')),
  ];

  it.each(QUEUE_NAMES)('is documented in docs/privacy.md: queue %s', (name) => {
    expect(privacy).toContain(`\`${name}\``);
  });

  it.each([...Object.values(STORAGE_PATHS), exportPath].map((pathOf) => pathOf('x').replace(/\/.*/s, '')))(
    'is documented in docs/privacy.md: stored files in %s',
    (folder) => {
      expect(privacy).toContain(`\`media/${folder}\``);
    },
  );

  it.each(namesIn(/join\((?:\w+\.)*data(?:Dir|Folder), '([^']+)'/g))(
    'is documented in docs/privacy.md: %s in the data folder',
    (name) => {
      expect(privacy).toContain(`\`${name}\``);
    },
  );

  it.each(namesIn(/`(nimo:\w+:)\$/g))('is documented in docs/privacy.md: Redis keys %s', (prefix) => {
    expect(privacy).toContain(`\`${prefix}\``);
  });
});
