interface RenamedTable {
  readonly schema: 'state' | 'read';
  readonly from: string;
  readonly to: string;
  /** New column names by old ones. */
  readonly columns?: Readonly<Record<string, string>>;
}

/** Tables that migration 1700000000003 renames. Older databases have updatable views under the old names. */
export const RENAMED_TABLES: readonly RenamedTable[] = [
  { schema: 'read', from: 'projection_acts', to: 'projection_maintenance' },
  { schema: 'state', from: 'back_up', to: 'backup' },
  { schema: 'state', from: 'carried_group', to: 'matched_group' },
  {
    ...{ schema: 'state', from: 'key_use', to: 'key_fingerprint' },
    columns: { print: 'fingerprint', place: 'scan_position', free_at: 'expires_at' },
  },
  { schema: 'state', from: 'last_look', to: 'notifications_seen' },
  { schema: 'state', from: 'log_chain_place', to: 'log_chain_position' },
  { schema: 'state', from: 'log_home', to: 'log_engine' },
  { schema: 'state', from: 'log_misfits', to: 'log_mismatches' },
  { schema: 'state', from: 'own_export', to: 'data_export', columns: { asked_at: 'requested_at' } },
  {
    schema: 'state',
    from: 'search_shipping',
    to: 'search_sync',
    columns: { former_owner: 'previous_owner' },
  },
];

/**
 * Renames a table with its columns, constraints and indexes, and leaves an updatable view with the old names and the same privileges for
 * running processes of the previous version. Does nothing in a new database, which has the new names from the start.
 */
export const renameTableSql = ({ schema, from, to, columns = {} }: RenamedTable): string => `
do $rename$
declare
  renamed constant regclass := to_regclass('${schema}.${from}');
  found record;
begin
  if renamed is null then
    return;
  end if;
  alter table ${schema}.${from} rename to ${to};
  -- Before the columns are renamed, so that the view keeps their old names.
  create view ${schema}.${from} with (security_invoker) as select * from ${schema}.${to};
  ${Object.entries(columns)
    .map(([old, name]) => `alter table ${schema}.${to} rename ${old} to ${name};`)
    .join('\n  ')}
  for found in
    select k.conname as old, case k.contype when 'n' then format('${to}_%s_not_null', a.attname) else '${to}' || substr(k.conname, ${from.length + 1}) end as name
    from pg_constraint k left join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
    where k.conrelid = renamed and starts_with(k.conname, '${from}_')
  loop
    execute format('ALTER TABLE %s RENAME CONSTRAINT %I TO %I', renamed, found.old, found.name);
  end loop;
  for found in
    select c.oid::regclass as old, '${to}' || substr(c.relname, ${from.length + 1}) as name
    from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indrelid = renamed and starts_with(c.relname, '${from}_')
  loop
    execute format('ALTER INDEX %s RENAME TO %I', found.old, found.name);
  end loop;
  for found in
    select g.privilege_type as verb, g.grantee::regrole as grantee
    from pg_class c, aclexplode(c.relacl) g
    where c.oid = renamed and g.grantee not in (0, c.relowner)
      and g.privilege_type in ('SELECT', 'INSERT', 'UPDATE', 'DELETE')
  loop
    execute format('GRANT %s ON ${schema}.${from} TO %s', found.verb, found.grantee);
  end loop;
  execute format('ALTER VIEW ${schema}.${from} OWNER TO %s', (select relowner::regrole from pg_class where oid = renamed));
end
$rename$`;
