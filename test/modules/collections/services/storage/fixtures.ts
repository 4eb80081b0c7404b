/** Applies collections to a database without a kernel. */
import type { ExecutionContext } from 'ava'
import { pino } from 'pino'
import type { Deps } from '../../../../../kernel/index.ts'
import type { Collections } from '../../../../../modules/collections/domain/declarations/collection.ts'
import type { DeclaredCollection } from '../../../../../modules/collections/domain/declarations/declaration.ts'
import { normalizeAll } from '../../../../../modules/collections/domain/declarations/normalize.ts'
import {
  applyChanges,
  type PlannedSchemaChange,
  planChanges,
  purgeRetired,
} from '../../../../../modules/collections/services/storage/schema-service.ts'
import type { Connection } from '../../../../../services/postgres/connection.ts'
import { openDatabase } from '../../../../../services/postgres/open.ts'
import { createSchemaOwner } from '../../../../../services/postgres/schema-owner.ts'
import { createTestDatabase } from '../../../../../services/postgres/testing.ts'
import { connectOwner, type Owner } from '../../fixtures.ts'

export type Declared = Readonly<Record<string, DeclaredCollection>>
export interface Storage {
  readonly owner: Owner
  /** The address connects as the owner. */
  readonly url: string
  /** Milliseconds of the clock. */
  now: number
  apply(declared: Declared, mayLose?: boolean): Promise<void>
  /** Applies until the statement of that number fails. Returns false if there are fewer. */
  interrupt(declared: Declared, statement: number): Promise<boolean>
  plan(declared: Declared): Promise<readonly PlannedSchemaChange[]>
  /** `change subject: detail`, with the loss and the reasons why it is blocked. */
  planned(declared: Declared): Promise<readonly string[]>
  purge(): Promise<void>
}

const folder = (path: string) => new URL(`../../../../../${path}/migrations/`, import.meta.url)
const SETS = [
  { module: 'postgres', folder: folder('services/postgres') },
  { module: 'collections', folder: folder('modules/collections') },
]

class Interruption extends Error {}

export const toCollections = (declared: Declared): Collections =>
  normalizeAll(declared, { from: 'recipe', resolveFile: (_path, file) => file })

/** @param adapt what a recipe does with its collections before they are applied. */
export async function openStorage(
  t: Pick<ExecutionContext, 'teardown'>,
  adapt: (collections: Collections) => Collections = collections => collections,
): Promise<Storage> {
  const collectionsOf = (declared: Declared) => adapt(toCollections(declared))
  const database = await createTestDatabase({ migrations: SETS })
  t.teardown(() => database.drop())
  const db = await openDatabase({
    ownerUrl: database.ownerUrl,
    secrets: ['a secret that only tests may know of'],
    log: pino({ level: 'silent' }),
  })
  t.teardown(() => db.close())
  await db.migrate(SETS)
  const owner = await connectOwner(t, database.ownerUrl)
  const operator = { tenantId: await db.operatorTenantId() }
  const log = pino({ level: 'silent' })
  // Only `db` of the connection is used.
  const schemaOwner = createSchemaOwner({ connection: { db } as Connection, log })
  const migrations = { exclusively: db.withLock } as never
  const storage: Storage = {
    owner,
    url: database.ownerUrl,
    now: Date.parse('2026-01-01T00:00:00Z'),
    apply: (declared, mayLose = false) =>
      db.withLock('reconcile', () =>
        applyChanges({ schemaOwner, operator, clock, log }, collectionsOf(declared), { mayLose, removes: mayLose }),
      ),
    async interrupt(declared, statement) {
      let statements = 0
      const fragile: Deps<'schemaOwner'>['schemaOwner'] = {
        connect: work =>
          schemaOwner.connect(session => {
            const failing =
              (query: typeof session.query): typeof session.query =>
              async (sql, values) => {
                if (++statements === statement) throw new Interruption()
                return query(sql, values)
              }
            return work({
              query: failing(session.query),
              transaction: inner =>
                session.transaction(migrator => inner({ ...migrator, query: failing(migrator.query) })),
            })
          }),
      }
      const deps = { schemaOwner: fragile, operator, clock, log }
      try {
        await db.withLock('reconcile', () =>
          applyChanges(deps, collectionsOf(declared), { mayLose: true, removes: true }),
        )
        return false
      } catch (error) {
        if (error instanceof Interruption) return true
        throw error
      }
    },
    plan: declared => {
      const unit = db.systemDatabase.acrossTenants('a test plans a change')
      return planChanges((sql, values) => unit.query(sql, values), collectionsOf(declared), clock.now())
    },
    planned: async declared =>
      (await storage.plan(declared)).map(({ change, subject, detail, loss, findings }) =>
        [`${change} ${subject}: ${detail}`, ...(loss ? [loss] : []), ...findings.blocked, ...findings.notes].join(
          ' | ',
        ),
      ),
    purge: () => purgeRetired({ schemaOwner, migrations, clock }),
  }
  const clock = { now: () => storage.now }
  return storage
}

/** A collection `courses` with these fields. */
export const courses = (
  fields: DeclaredCollection['fields'],
  more: Omit<DeclaredCollection, 'fields'> = {},
): Declared => ({ courses: { fields, ...more } })
