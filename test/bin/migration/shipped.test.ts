import test from 'ava'
import pg from 'pg'
import { compare } from '../../../bin/migration/compare.ts'
import { readTables } from '../../../bin/migration/database.ts'
import { moduleFiles, recordTables } from '../../../bin/migration/module.ts'
import { createModuleFinder } from '../../../kernel/recipe/index.ts'
import { createTestDatabase } from '../../../services/postgres/testing.ts'
import { sets } from '../../services/postgres/fixtures.ts'

test('the tables of shipped modules store what their records have', async t => {
  const finder = createModuleFinder()
  const modules = await Promise.all(finder.names().map(async key => ({ key, module: await finder.load(key) })))
  const migrations = modules.flatMap(({ key, module }) =>
    module.migrations ? [{ module: key, folder: module.migrations }] : [],
  )
  const { ownerUrl, drop } = await createTestDatabase({ migrations: [...sets.slice(0, 1), ...migrations] })
  t.teardown(drop)
  const client = new pg.Client(ownerUrl)
  client.on('error', error => t.log(error))
  await client.connect()
  t.teardown(() => client.end())

  const found: string[] = []
  for (const { module: key } of migrations) {
    const files = await moduleFiles({ file: 'recipe.yaml', failed: [], modules }, key)
    if (files.records.length === 0) continue
    const stored = await recordTables(files)
    const { changes, unwritten } = compare(stored, (await readTables(client, stored)).tables)
    found.push(...changes.map(change => JSON.stringify(change)), ...unwritten)
  }
  t.deepEqual(found, [])
})
