/** Applies collections and kills itself while the given statement of the owner runs. Arguments: URL, statement, JSON. */
import { setTimeout as pause } from 'node:timers/promises'
import { pino } from 'pino'
import { applyChanges } from '../../../../../modules/collections/services/storage/schema-service.ts'
import type { Connection } from '../../../../../services/postgres/connection.ts'
import { openDatabase } from '../../../../../services/postgres/open.ts'
import type { SchemaOwner } from '../../../../../services/postgres/schema-changes.ts'
import { createSchemaOwner } from '../../../../../services/postgres/schema-owner.ts'
import { toCollections } from './fixtures.ts'

const [ownerUrl = '', fatal = '0', declared = '{}'] = process.argv.slice(2)
let statements = 0

async function dieAt<T>(run: () => Promise<T>): Promise<T> {
  if (++statements !== Number(fatal)) return run()
  void run().catch(() => undefined)
  await pause(fatal.endsWith('1') ? 0 : 3)
  process.kill(process.pid, 'SIGKILL')
  return pause(10_000) as never
}

const log = pino({ level: 'silent' })
const db = await openDatabase({ ownerUrl, secrets: ['a secret that only tests may know of'], log })
const schemaOwner = createSchemaOwner({ connection: { db } as Connection, log })
const mortal: SchemaOwner = {
  connect: work =>
    schemaOwner.connect(session =>
      work({
        query: (sql, values) => dieAt(() => session.query(sql, values)),
        transaction: inner =>
          session.transaction(migrator =>
            inner({ ...migrator, query: (sql, values) => dieAt(() => migrator.query(sql, values)) }),
          ),
      }),
    ),
}
const operator = { tenantId: await db.operatorTenantId() }
const deps = { schemaOwner: mortal, operator, clock: { now: () => Date.now() }, log }
await db.withLock('reconcile', () =>
  applyChanges(deps, toCollections(JSON.parse(declared)), { mayLose: true, removes: true }),
)
await db.close()
