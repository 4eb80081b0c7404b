/** A temporary database with two tenant tables and one system table. */
import pg from 'pg'
import { pino } from 'pino'
import { type OpenDatabase, type OpenOptions, openDatabase } from '../../../services/postgres/open.ts'
import { withRoleNames } from '../../../services/postgres/role-names.ts'
import { createTestDatabase } from '../../../services/postgres/testing.ts'

export const sets = [
  { module: 'kernel', folder: new URL('../../../services/postgres/migrations/', import.meta.url) },
  { module: 'test', folder: new URL('./migrations/', import.meta.url) },
]
export const secret = 'a secret of thirty-two characters'
export const log = pino({ level: process.env.TEST_LOG ?? 'silent' })

export interface Fixture extends OpenDatabase {
  readonly ownerUrl: string
  /** The owner bypasses row level security. `larder_app` and `larder_system` stand for the roles, as in migrations. */
  asOwner<Row = Record<string, unknown>>(sql: string, values?: unknown[]): Promise<Row[]>
  /** Ids of the things of all tenants. */
  things(): Promise<string[]>
  end(): Promise<void>
}

export async function createFixture(options: Partial<OpenOptions> = {}): Promise<Fixture> {
  const { ownerUrl, drop } = await createTestDatabase({ migrations: sets, log })
  const open = await openDatabase({ ownerUrl, secrets: [secret], log, ...options })
  const asOwner: Fixture['asOwner'] = async (sql, values) => {
    const client = new pg.Client(ownerUrl)
    client.on('error', () => {})
    await client.connect()
    try {
      return (await client.query(withRoleNames(sql, open.roles.roles), values)).rows
    } finally {
      await client.end()
    }
  }
  // Keep the getters: the URL changes with a rotation.
  return Object.assign(Object.create(open) as OpenDatabase, {
    ownerUrl,
    asOwner,
    things: async () => (await asOwner<{ id: string }>('select id from test_things order by id')).map(({ id }) => id),
    async end() {
      await open.close()
      await drop()
    },
  })
}

export const insert = 'insert into test_things (tenant_id, id, name) values ($1, $2, $3)'

/** `opened` resolves when somebody calls `open`. */
export function createGate(): { open(): void; readonly opened: Promise<void> } {
  let open: () => void = () => {}
  const opened = new Promise<void>(resolve => {
    open = resolve
  })
  return { open, opened }
}
