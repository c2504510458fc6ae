import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { entryOf, EVENT_TYPES } from '@nimo/domain';
import { RETENTION_REASONS, retentionOf } from './retention.js';
import { TABLE_GRANTS } from '../database/roles.js';

// `roles.int-spec.ts` checks that TABLE_GRANTS lists all tables.
const tables = Object.keys(TABLE_GRANTS).flatMap((table) =>
  table.startsWith('state.') ? [table.slice('state.'.length)] : [],
);
const swept = Object.keys(retentionOf({ securityLogDays: 180 }));
const privacy = readFileSync(join(import.meta.dirname, '../../../../../docs/privacy.md'), 'utf8');

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
