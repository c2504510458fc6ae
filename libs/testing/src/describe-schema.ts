import type pg from 'pg';

const RELATIONS = `
  select format('%s %I.%I', case c.relpersistence when 'u' then 'unlogged table' else 'table' end, n.nspname, c.relname)
    || coalesce(' with (' || array_to_string(c.reloptions, ', ') || ')', '') as line
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = any($1) and c.relkind in ('r', 'p')`;

const COLUMNS = `
  select format('column %I.%I.%I %s', n.nspname, c.relname, a.attname, format_type(a.atttypid, a.atttypmod))
    || case when a.attcollation not in (0, 100) then ' collate ' || quote_ident(k.collname) else '' end
    || case when a.attnotnull then ' not null' else '' end
    || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '') as line
  from pg_attribute a
  join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
  left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  left join pg_collation k on k.oid = a.attcollation
  where n.nspname = any($1) and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped`;

const CONSTRAINTS = `
  select format('constraint %I.%I.%I %s', n.nspname, c.relname, k.conname, pg_get_constraintdef(k.oid)) as line
  from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = any($1) and k.contype <> 'n'`;

const INDEXES = `select 'index ' || indexdef as line from pg_indexes where schemaname = any($1)`;

const TRIGGERS = `
  select 'trigger ' || pg_get_triggerdef(t.oid) as line
  from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = any($1) and not t.tgisinternal`;

const FUNCTIONS = `
  select pg_get_functiondef(p.oid) as line
  from pg_proc p join pg_namespace n on n.oid = p.pronamespace where n.nspname = any($1)`;

const EXTENSIONS = `select format('extension %I', extname) as line from pg_extension where extname <> 'plpgsql' and $1::text[] is not null`;

/** Describes the schemas `log`, `state` and `read` as deterministic text. Views are not included. */
export async function describeSchema(client: Pick<pg.Pool, 'query'>): Promise<string> {
  const sections: string[] = [];
  for (const query of [EXTENSIONS, RELATIONS, COLUMNS, CONSTRAINTS, INDEXES, TRIGGERS, FUNCTIONS]) {
    const { rows } = await client.query<{ line: string }>(
      `select line from (${query}) as found order by line collate "C"`,
      [['log', 'state', 'read']],
    );
    if (rows.length > 0) sections.push(rows.map(({ line }) => line.trimEnd()).join('\n'));
  }
  return `${sections.join('\n\n')}\n`;
}
