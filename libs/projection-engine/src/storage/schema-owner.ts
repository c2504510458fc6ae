/**
 * Gives what was just made in the schema `read` to the owner of the schema, so that whoever made it (a worker, the command line as the
 * owner of the database), the workers may index, switch and drop it.
 */
export function givenToSchemaOwnerSql(kind: 'table' | 'view', name: string): string {
  return `do $own$
    declare owner text := (select nspowner::regrole::text from pg_namespace where nspname = 'read');
    begin
      if owner <> quote_ident(current_user) then execute format('alter ${kind} ${name} owner to %s', owner); end if;
    end $own$`;
}
