/** What a recipe brings, as a start would have it: its modules are made, and no database is asked. */

import type { Logger } from 'pino'
import type { Connection } from '../../services/postgres/connect.ts'
import { prepareDatabase } from '../../services/postgres/open.ts'
import { pendingMigrations } from '../../services/postgres/pending.ts'
import { createLook } from '../../services/templates/presentation.ts'
import type { ModuleReport } from '../contract/index.ts'
import type { CheckedRecipe } from '../recipe/index.ts'
import { makeModules } from './make.ts'
import { migrationSets } from './migration-sets.ts'
import type { Settings } from './settings.ts'

export interface DescribeOptions {
  readonly checked: CheckedRecipe
  readonly settings: Settings
  readonly log: Logger
}

/** Throws what making a module threw. Migrations are listed as none was applied. */
export async function describeRecipe(options: DescribeOptions): Promise<readonly ModuleReport[]> {
  const settings: Settings = { ...options.settings, bus: 'memory' }
  const connection = unconnected(options.log)
  const operator = { tenantId: 'nobody' }
  const look = createLook({ ...options, settings })
  try {
    const { made, staff } = await makeModules({
      ...options,
      settings,
      role: 'tool',
      connection,
      operator,
      look,
    })
    try {
      await staff.engage()
      made.migrations = await declared(options.checked)
      return made.ports.inspector.modules()
    } finally {
      await staff.stop()
      await made.close()
    }
  } finally {
    await connection.close()
  }
}

async function declared(checked: CheckedRecipe) {
  const { waiting } = await pendingMigrations(migrationSets(checked), new Map())
  return new Map([...waiting].map(([key, names]) => [key, names.map(name => ({ name, appliedAt: null }))]))
}

/** No name under `invalid` ever leads anywhere (RFC 6761, 6.4): whatever asked would fail. */
const NOWHERE = 'postgres://nobody@database.invalid/none'

function unconnected(log: Logger): Connection {
  const db = prepareDatabase({ ownerUrl: NOWHERE, secrets: ['of nothing'], log })
  return { db, secrets: ['of nothing'], place: 'no database', close: () => db.close() }
}
