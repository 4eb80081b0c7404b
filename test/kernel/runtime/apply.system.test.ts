/** What a start applies of a changed recipe: `LARDER_APPLY`. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { pino } from 'pino'
import { checkFile, readSettings } from '../../../bin/composition.ts'
import { OperatorError } from '../../../kernel/base/index.ts'
import { bootKernel, migrationSets } from '../../../kernel/runtime/kernel.ts'
import { createTestDatabase } from '../../../services/postgres/testing.ts'
import { connectAsOwner, dumpTables, type OwnerClient } from '../../reliability/fixtures.ts'

interface Parts {
  readonly maxLength?: number
  readonly more?: string
  readonly flags?: string
  readonly roles?: string
}
const recipe = ({ maxLength = 50, more = '', flags = 'beta: { default: false }', roles = '' }: Parts = {}) =>
  `recipe: 1
product: { key: acme, name: Acme, publicUrl: "http://localhost:8080" }
modules: { identity: {}, collections: {}, features: {} }
features: { ${flags} }
roles: { ${roles} }
collections:
  courses:
    fields: { title: { type: text, maxLength: ${maxLength} }, note: { type: text }${more} }
    access: { read: { tenant.owner: true }, create: { tenant.owner: true } }
`
const BASE = recipe()
const WIDER = recipe({
  maxLength: 80,
  more: ', seats: { type: integer, default: 1 }',
  flags: 'beta: { default: false }, dark: { default: true }',
  roles: 'tenant.support: { name: Support, permissions: [features.feature.read] }',
})

interface Shop {
  readonly owner: OwnerClient
  /** Starts and stops. Returns the messages of the log. */
  start(text: string, apply: string, confirmed?: boolean): Promise<readonly string[]>
  flags(): Promise<string[]>
  maxLength(): Promise<number>
}
type Cleanup = Pick<ExecutionContext, 'teardown'>

async function shop(t: Cleanup, isEmpty = false): Promise<Shop> {
  const folder = mkdtempSync(join(tmpdir(), 'larder-apply-'))
  const file = join(folder, 'recipe.yaml')
  writeFileSync(file, BASE)
  const { services, modules } = await checkFile(file, {})
  const database = await createTestDatabase({ migrations: isEmpty ? [] : migrationSets([...services, ...modules]) })
  const owner = connectAsOwner(database.ownerUrl)
  t.teardown(async () => {
    await owner.end()
    await database.drop()
    rmSync(folder, { recursive: true, force: true })
  })
  return {
    owner,
    async start(text, apply, confirmed = false) {
      writeFileSync(file, text)
      const messages: string[] = []
      const log = pino({ base: undefined }, { write: line => void messages.push(JSON.parse(line).msg) })
      const settings = readSettings({
        DATABASE_URL: database.ownerUrl,
        LARDER_SECRET: 'a secret that only tests may know of',
        LARDER_DATA: join(folder, '.larder'),
        LARDER_APPLY: apply,
      })
      const checked = await checkFile(file, {})
      const kernel = await bootKernel({ checked, settings, log, confirmed, role: 'migrate' })
      await kernel.stop()
      return messages
    },
    flags: async () =>
      (await owner.query<{ key: string }>('select key from features_flags order by key')).map(({ key }) => key),
    maxLength: () =>
      owner.value(
        `select (field #>> '{rules,maxLength}')::int from collections_schema,
           jsonb_array_elements(layout -> 'fields') as field where field ->> 'name' = 'title'`,
      ),
  }
}

async function refusal(starting: Promise<unknown>): Promise<OperatorError> {
  try {
    await starting
  } catch (error) {
    if (OperatorError.is(error)) return error
    throw error
  }
  throw new Error('the start was not refused')
}

/** With `BASE`. Tests of refusals share it: a refusal changes nothing. */
let applied: Shop
const cleanups: (() => unknown)[] = []
test.before(async () => {
  applied = await shop({ teardown: cleanup => void cleanups.unshift(cleanup) })
  await applied.start(BASE, 'safe')
})
test.after.always(async () => {
  for (const cleanup of cleanups) await cleanup()
})

const refuses = async (t: ExecutionContext, text: string, apply: string, code: string, lines: readonly RegExp[]) => {
  const before = await dumpTables(applied.owner)
  const error = await refusal(applied.start(text, apply))
  t.is(error.code, code)
  for (const line of lines) t.regex(error.message, line)
  t.is(await dumpTables(applied.owner), before)
}

test('safe applies what a recipe adds and widens', async t => {
  const own = await shop(t)
  await own.start(BASE, 'safe')
  await own.start(WIDER, 'safe')
  t.deepEqual(await own.flags(), ['beta', 'dark'])
  t.is(await own.maxLength(), 80)
})

test.serial('safe refuses a narrower bound, with the line of the plan and the command', t =>
  refuses(t, recipe({ maxLength: 20 }), 'safe', 'recipe_removes', [
    /change field courses\.title: .*50 → 20/,
    /larder recipe apply \S+recipe\.yaml/,
  ]),
)

test.serial('safe refuses the removal of an entry, and lists nothing that adds', async t => {
  const text = recipe({ flags: 'dark: { default: true }' })
  await refuses(t, text, 'safe', 'recipe_removes', [/\n {2}remove feature beta.*\n/])
  t.notRegex((await refusal(applied.start(text, 'safe'))).message, /dark/)
})

test.serial('safe refuses the removal of a module', t =>
  refuses(t, BASE.replace(', features: {}', '').replace(/features: .*\n/, ''), 'safe', 'recipe_removes', [
    /remove module features/,
  ]),
)

test('a confirmed recipe is applied whatever it removes', async t => {
  const own = await shop(t)
  await own.start(BASE, 'safe')
  await own.start(recipe({ maxLength: 20, flags: 'dark: { default: true }' }), 'safe', true)
  t.deepEqual(await own.flags(), ['dark'])
  t.is(await own.maxLength(), 20)
})

test('safe starts without a removed field, which it keeps', async t => {
  const own = await shop(t)
  await own.start(BASE, 'safe')
  await own.start(BASE.replace(', note: { type: text }', ''), 'safe')
  t.is(
    await own.owner.value(
      "select count(*) from pg_attribute where attrelid = 'data_courses'::regclass and attname = 'note'",
    ),
    1,
  )
})

test('safe starts an earlier recipe beside a later one, and takes nothing away', async t => {
  const own = await shop(t)
  await own.start(BASE, 'safe')
  await own.start(WIDER, 'safe')
  const before = await dumpTables(own.owner)
  const messages = await own.start(BASE, 'safe')
  t.is(await dumpTables(own.owner), before)
  t.true(messages.some(message => message.includes('what it would remove stays')))
  await t.notThrowsAsync(own.start(WIDER, 'safe'))
})

test('all applies what narrows and removes', async t => {
  const own = await shop(t)
  await own.start(BASE, 'all')
  await own.start(recipe({ maxLength: 20, flags: 'dark: { default: true }' }), 'all')
  t.deepEqual(await own.flags(), ['dark'])
  t.is(await own.maxLength(), 20)
})

test.serial('never refuses a recipe that only adds but was not applied', t =>
  refuses(t, WIDER, 'never', 'recipe_not_applied', [/LARDER_APPLY=safe larder migrate \S+recipe\.yaml/]),
)

test('never refuses a database that lacks migrations, and creates no table', async t => {
  const own = await shop(t, true)
  const before = await dumpTables(own.owner)
  const error = await refusal(own.start(BASE, 'never'))
  t.is(error.code, 'migrations_pending')
  t.regex(error.message, /postgres\/0001-kernel, .* and \d+ more/)
  t.is(await dumpTables(own.owner), before)
})

test('never starts with a recipe that was applied, also beside a later one, and writes nothing', async t => {
  const own = await shop(t)
  await own.start(BASE, 'safe')
  await own.start(WIDER, 'safe')
  const before = await dumpTables(own.owner)
  await own.start(WIDER, 'never')
  await own.start(BASE, 'never')
  t.is(await dumpTables(own.owner), before)
})
