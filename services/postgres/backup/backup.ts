/** Reads and writes all tables of an installation. */
import type pg from 'pg'
import type { Logger } from 'pino'
import type { AppAccess } from '../app-access.ts'
import { operatorErrors } from '../operator-errors.ts'
import { describeServer, type OwnerConnection } from '../owner.ts'
import type { Query } from '../role-catalog.ts'
import { withRoleNames } from '../role-names.ts'
import { ensureRoles } from '../roles.ts'
import { fingerprints, recordSecrets } from '../secret.ts'
import { assertDumpable, contentsOf, type DumpedTable, readSchema, type Schema } from './catalog.ts'
import { copyIn, copyOut } from './copy.ts'
import { lockForBackup } from './lock.ts'

export interface DumpedSequence {
  readonly name: string
  /** Decimal. */
  readonly value: string
  readonly isCalled: boolean
}
export type { DumpedTable } from './catalog.ts'

/** What a dump says before its rows. */
export interface DumpHead {
  readonly postgres: string
  /** When its snapshot was taken, RFC 3339. */
  readonly at: string
  /** Fingerprints of the secrets with which the original was last started. */
  readonly fingerprints: readonly string[]
  /** Applied migrations, as `module/name`. */
  readonly migrations: readonly string[]
  readonly schema: Schema
  readonly sequences: readonly DumpedSequence[]
  /** Bytes on the disk of the server, for progress. */
  readonly bytes: number
}
export interface Dump {
  readonly head: DumpHead
  /** Runs a query in the snapshot. */
  query<Row>(sql: string): Promise<Row[]>
  /** Calls `onChunk` with the rows of the table in COPY's text format. */
  copy(table: DumpedTable, onChunk: (chunk: Buffer, rows: number) => Promise<void>): Promise<void>
}

/** Adds the columns that a restore writes. */
const HELD_MIGRATION = 'postgres/0016-held-effects'
const LOCK_MIGRATE = 'larder migrate'
/** What the text format of COPY depends on, and no limits of time. */
const SESSION = `set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0;
  set transaction_timeout = 0; set datestyle = iso; set intervalstyle = postgres; set timezone = 'UTC'; set extra_float_digits = 3;
  set bytea_output = hex; set client_encoding = 'UTF8'; set check_function_bodies = off; set xmloption = content;
  set row_security = on`
const UNKNOWN_SETTING = '42704'

/**
 * Calls `work` with one snapshot of the database. Migrations and changed recipes wait until it ends, and nothing deletes
 * a file meanwhile; all else goes on.
 * @param onWait called if a migration or a changed recipe has to end first.
 * @throws OperatorError `database_not_migrated`, and those of `assertDumpable`.
 */
export function dumpDatabase<T>(
  { owner, access }: { readonly owner: OwnerConnection; readonly access: AppAccess },
  work: (dump: Dump) => Promise<T>,
  onWait: () => void,
): Promise<T> {
  return owner.run(async client => {
    await prepare(client)
    const allowStarts = await lockForBackup(client, onWait)
    await client.query('begin isolation level repeatable read, read only')
    const { schema, at, bytes } = await lockTables(client, access)
    await allowStarts()
    const head: DumpHead = {
      at,
      bytes,
      schema,
      postgres: (await one<{ version: string }>(client, `select current_setting('server_version') as version`)).version,
      fingerprints: (await one<{ own: string[] }>(client, 'select secret_fingerprints as own from larder_installation'))
        .own,
      migrations: (
        await client.query<{ name: string }>(`select module || '/' || name as name from larder_migrations order by 1`)
      ).rows.map(({ name }) => name),
      sequences: await readSequences(client, schema.sequences),
    }
    if (!head.migrations.includes(HELD_MIGRATION))
      throw operatorErrors.database_out_of_date({ migrations: HELD_MIGRATION })
    const result = await work({
      head,
      query: async <Row>(sql: string) => (await client.query(sql)).rows as Row[],
      copy: ({ name, columns }, onChunk) => copyOut(client, `copy ${name} (${columns.join(', ')}) to stdout`, onChunk),
    })
    await client.query('commit')
    return result
  })
}

/** The first statement takes the snapshot. The locks keep the tables as the schema describes them. */
async function lockTables(client: pg.Client, { roles }: AppAccess) {
  const { at, bytes } = await one<{ at: Date; bytes: string }>(
    client,
    `select now() as at, (select coalesce(sum(pg_total_relation_size(oid)), 0) from pg_class
       where relnamespace = current_schema()::regnamespace and relkind = 'r') as bytes`,
  )
  if (!(await one<{ found: boolean }>(client, `select to_regclass('larder_installation') is not null as found`)).found)
    throw operatorErrors.database_not_migrated()
  await assertDumpable(client, roles)
  const schema = await readSchema(client, roles)
  if (schema.tables.length > 0)
    await client.query(`lock table ${schema.tables.map(({ name }) => name).join(', ')} in access share mode`)
  return { schema, at: at.toISOString(), bytes: Number(bytes) }
}

async function readSequences(client: pg.Client, names: readonly string[]): Promise<DumpedSequence[]> {
  const sequences: DumpedSequence[] = []
  for (const name of names) {
    const { value, called } = await one<{ value: string; called: boolean }>(
      client,
      `select last_value as value, is_called as called from ${name}`,
    )
    sequences.push({ name, value: String(value), isCalled: called })
  }
  return sequences
}

async function prepare(client: pg.Client): Promise<void> {
  for (const setting of SESSION.split(';'))
    await client.query(setting).catch(error => {
      // An older server has no such setting.
      if (error.code !== UNKNOWN_SETTING) throw error
    })
  // Names are then written without their schema.
  await client.query(`select set_config('search_path', quote_ident(current_schema()), false)`)
}

async function one<Row extends object>(client: pg.Client, sql: string): Promise<Row> {
  return (await client.query<Row>(sql)).rows[0] as Row
}

export interface RestoreTarget {
  readonly owner: OwnerConnection
  readonly access: AppAccess
  readonly secrets: readonly string[]
  readonly url: string
  readonly log: Logger
}
export interface RestoreOptions {
  onStep(step: string): void
  /** Whether the database gets the current secrets in place of those of the original. */
  readonly isNewSecret: boolean
}
/** Writes the rows of a table, in COPY's text format. */
export type CopyRows = (table: DumpedTable, chunks: AsyncIterable<Buffer>) => Promise<void>

/** @throws OperatorError `restore_not_empty`, `restore_schema` or `restore_roles_missing` */
export async function assertRestorable(
  { owner, url }: Pick<RestoreTarget, 'owner' | 'url'>,
  { schema }: DumpHead,
): Promise<void> {
  await owner.run(client => checkTarget(client, url, schema))
}

async function checkTarget(client: pg.Client, url: string, schema: Schema): Promise<void> {
  const contents = await contentsOf(client)
  if (contents.length > 0)
    throw operatorErrors.restore_not_empty({ place: describeServer(url), contents: contents.join(', ') })
  const { found } = await one<{ found: string | null }>(client, 'select current_schema() as found')
  if (found !== schema.name) throw operatorErrors.restore_schema({ wanted: schema.name, found: found ?? 'no schema' })
  const { rows } = await client.query<{ name: string }>(
    'select quote_ident(name) as name from unnest($1::text[]) as given (name) where not exists (select from pg_roles r where r.rolname = given.name)',
    [schema.roles],
  )
  if (rows.length > 0)
    throw operatorErrors.restore_roles_missing({
      roles: rows.map(({ name }) => name).join(', '),
      sql: rows.map(({ name }) => `  create role ${name};`).join('\n'),
    })
}

/**
 * Writes everything in one transaction: if it fails or is interrupted, the database is empty.
 * @param write writes the rows of all tables, and what has to be complete before the database is: files.
 */
export async function restoreDatabase(
  target: RestoreTarget,
  head: DumpHead,
  write: (copy: CopyRows) => Promise<void>,
  { onStep, isNewSecret }: RestoreOptions,
): Promise<void> {
  const { owner, access, secrets, url, log } = target
  const { schema } = head
  await owner.run(async client => {
    await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [LOCK_MIGRATE])
    await checkTarget(client, url, schema)
    onStep('creating the roles')
    const query: Query = (sql, values) => client.query(sql, values)
    await (await ensureRoles(query, access, log))?.end()
    await prepare(client)
    await client.query('begin')
    const run = async (statements: readonly string[]) => {
      for (const statement of statements) await send(client, withRoleNames(statement, access.roles))
    }
    onStep('creating the tables')
    await run(schema.before)
    await write((table, chunks) =>
      copyIn(client, `copy ${table.name} (${table.columns.join(', ')}) from stdin with (freeze)`, chunks),
    )
    for (const { name, value, isCalled } of head.sequences)
      await client.query('select setval($1::regclass, $2, $3)', [name, value, isCalled])
    await client.query('update larder_installation set held_since = now(), backed_up_at = $1', [head.at])
    if (isNewSecret) await recordSecrets(client, secrets)
    onStep('creating the indexes and rights')
    await run(schema.after)
    await client.query('commit')
    onStep('analyzing the tables')
    await client.query('analyze')
  })
}

async function send(client: pg.Client, statement: string): Promise<void> {
  try {
    await client.query(statement)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw operatorErrors.restore_failed({ reason, statement }, { cause: error })
  }
}

/** Whether the original was last started with one of these secrets. */
export const isOriginalSecret = (head: Pick<DumpHead, 'fingerprints'>, secrets: readonly string[]): boolean =>
  fingerprints(secrets).some(own => head.fingerprints.includes(own))

export const recordBackup = (owner: OwnerConnection, at: string): Promise<void> =>
  owner.run(async client => {
    await client.query('update larder_installation set backed_up_at = $1', [at])
  })
