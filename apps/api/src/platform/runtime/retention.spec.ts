import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { entryOf, EVENT_TYPES } from '@nimo/domain';
import { KEPT_BECAUSE, retentionOf } from './retention.js';
import { TABLE_GRANTS } from '../database/roles.js';

// `roles.int-spec.ts` holds TABLE_GRANTS to all tables that there are.
const tables = Object.keys(TABLE_GRANTS).flatMap((table) =>
  table.startsWith('state.') ? [table.slice('state.'.length)] : [],
);
const swept = Object.keys(retentionOf({ securityLogDays: 180 }));
const privacy = readFileSync(join(import.meta.dirname, '../../../../../docs/privacy.md'), 'utf8');

describe('what is no event', () => {
  it('has a life that a job ends, or a reason to stay, table by table', () => {
    expect([...swept, ...Object.keys(KEPT_BECAUSE)].sort()).toEqual([...tables].sort());
  });

  it.each(tables)('is told of in docs/privacy.md: state.%s', (table) => {
    expect(privacy).toContain(`\`${table}\``);
  });

  it.each(Object.entries(retentionOf({ securityLogDays: 180 })))(
    'lives as docs/privacy.md says: %s',
    (table, { life }) => {
      const line = privacy.split('\n').find((each) => each.includes(`\`${table}\``));
      expect(line).toContain(life);
    },
  );
});

describe('what is sealed', () => {
  it.each(EVENT_TYPES.filter((type) => entryOf(type)?.sealed))(
    'is told of in docs/privacy.md: %s',
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
