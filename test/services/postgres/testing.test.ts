import test from 'ava'
import pg from 'pg'
import { createTestDatabase } from '../../../services/postgres/testing.ts'
import { sets } from './fixtures.ts'

const ask = async (url: string, sql: string): Promise<unknown[]> => {
  const client = new pg.Client(url)
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

test('creates isolated, migrated test databases concurrently and drops them', async t => {
  const databases = await Promise.all([1, 2, 3].map(() => createTestDatabase({ migrations: sets })))
  const [first, second, third] = databases.map(({ ownerUrl }) => ownerUrl) as [string, string, string]
  t.is(new Set([first, second, third]).size, 3)
  await ask(first, "insert into test_things values ('ten_a', 'a', 'a')")
  t.deepEqual(await ask(second, 'select from test_things'), [])

  await databases[0]?.drop()
  const name = new URL(first).pathname.slice(1)
  t.deepEqual(await ask(third, `select from pg_database where datname = '${name}'`), [])
  await databases[1]?.drop()
  await databases[2]?.drop()
})
