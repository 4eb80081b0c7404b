import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'ava'
import { createTestDatabase } from '../../services/postgres/testing.ts'
import { run, temporaryFolder } from './command.ts'

const RECIPE = 'recipe: 1\nproduct: { key: test, name: Test, publicUrl: "http://localhost" }\nmodules: {}\n'
const OLD = 'a secret that only tests may know of'
const NEW = 'another secret that only tests know'

test('rejects a start with another LARDER_SECRET until `secret rotate` replaces a lost one', async t => {
  const cwd = await temporaryFolder(t)
  await writeFile(join(cwd, 'recipe.yaml'), RECIPE)
  const database = await createTestDatabase({ migrations: [] })
  t.teardown(() => database.drop())
  const larder = (secret: string, ...args: string[]) =>
    run(t, args, cwd, { DATABASE_URL: database.ownerUrl, LARDER_SECRET: secret })

  t.is((await larder(OLD, 'migrate', 'recipe.yaml')).code, 0)
  for (const command of [
    ['migrate', 'recipe.yaml'],
    ['start', 'recipe.yaml'],
    ['events', 'list', '-r', 'recipe.yaml'],
  ]) {
    const { code, err } = await larder(NEW, ...command)
    t.is(code, 1)
    t.regex(err, /another LARDER_SECRET.*backup.*larder secret rotate/s)
  }
  t.is((await larder(OLD, 'migrate', 'recipe.yaml')).code, 0)

  const rotated = await larder(NEW, 'secret', 'rotate')
  t.is(rotated.code, 0)
  t.regex(rotated.err, /now uses the current secret/)
  t.is((await larder(NEW, 'migrate', 'recipe.yaml')).code, 0)

  const added = await larder(NEW, 'secret', 'rotate')
  t.regex(added.out, /^[\w-]{43}\n$/)
  t.is((await larder(`${added.out.trim()},${NEW}`, 'migrate', 'recipe.yaml')).code, 0)
})

test('rotates the secret in the data folder, and replaces a lost one', async t => {
  const cwd = await temporaryFolder(t)
  await writeFile(join(cwd, 'recipe.yaml'), RECIPE)
  const file = join(cwd, '.larder', 'secret')
  t.is((await run(t, ['migrate', 'recipe.yaml'], cwd)).code, 0)
  const first = await readFile(file, 'utf8')

  t.is((await run(t, ['secret', 'rotate'], cwd)).code, 0)
  const [second, kept] = (await readFile(file, 'utf8')).split(',')
  t.is(kept, first)
  t.not(second, first)
  t.is((await run(t, ['migrate', 'recipe.yaml'], cwd)).code, 0)

  await rm(file)
  const { code, err } = await run(t, ['migrate', 'recipe.yaml'], cwd)
  t.is(code, 1)
  t.regex(err, /larder secret rotate/)
  t.regex((await run(t, ['secret', 'rotate'], cwd)).err, /now uses the current secret/)
  t.is((await run(t, ['migrate', 'recipe.yaml'], cwd)).code, 0)
})
