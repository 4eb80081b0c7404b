/** A kernel with collections whose tables the test creates. */
import pg from 'pg'
import type { Migrator } from '../../../kernel/index.ts'
import type { DeclaredCollection } from '../../../modules/collections/domain/declaration.ts'
import { layoutOf } from '../../../modules/collections/domain/layout.ts'
import { historyTableName, joinTableName } from '../../../modules/collections/domain/naming.ts'
import { normalizeAll } from '../../../modules/collections/domain/normalize.ts'
import * as tables from '../../../modules/collections/domain/table-sql.ts'
import { createMigrator } from '../../../services/postgres/migration.ts'
import { startTestKernel, type TestKernel } from '../../../testing/index.ts'

export type Declared = Readonly<Record<string, DeclaredCollection>>

export async function startCollections(collections: Declared, recipe: Readonly<Record<string, unknown>> = {}): Promise<TestKernel> {
  const { modules = {}, ...rest } = recipe as { modules?: object }
  const kernel = await startTestKernel({
    recipe: { modules: { identity: {}, comms: {}, collections: {}, ...modules }, collections, ...rest },
  })
  const owner = new pg.Client(kernel.databaseUrl)
  await owner.connect()
  const migrator = createMigrator(((sql, values) => owner.query(sql, values as unknown[])) as Migrator['query'])
  const normalized = normalizeAll(collections, { from: 'recipe', resolveFile: (_, file) => file })
  const layouts = [...normalized.values()].map(collection => layoutOf(collection, normalized))
  for (const layout of layouts) {
    const { rows } = await owner.query('select to_regclass($1) as found', [layout.table])
    if (rows[0].found !== null) continue
    await migrator.tenantTable(layout.table, tables.tableColumns(layout))
    for (const { name, joinTable } of layout.fields)
      if (joinTable !== null) await migrator.tenantTable(joinTableName(layout.name, name), tables.JOIN_COLUMNS)
    if (layout.history) await migrator.tenantTable(historyTableName(layout.name), tables.HISTORY_COLUMNS)
    for (const index of tables.indexesOf(layout)) await owner.query(tables.createIndexSql(index))
  }
  for (const layout of layouts)
    for (const field of layout.fields)
      for (const key of tables.foreignKeysOf(field, layout)) await owner.query(tables.addForeignKeySql(key)).catch(() => {})
  await owner.end()
  return kernel
}
