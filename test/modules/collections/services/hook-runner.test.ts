import { setTimeout as pause } from 'node:timers/promises'
import test from 'ava'
import type { AnyRowHooks, RowHooks } from '../../../../modules/collections/domain/declarations/define-collection.ts'
import { createHookRunner } from '../../../../modules/collections/services/row-hooks.ts'

const things = { name: 'things' } as never
const view = { tenantId: 'ten_1', caller: undefined } as never

/** A runner of hooks without a database. */
function fixture(hooks: RowHooks<string>, timeoutMs = 10_000, collection = 'things') {
  const value: readonly AnyRowHooks[] = [{ collection, hooks }]
  const deps = {
    registry: { collect: () => [{ key: 'academy', value }] },
    database: { tenant: () => ({ transaction: (work: () => Promise<unknown>) => work() }) },
    log: { error: () => undefined },
  }
  const runner = createHookRunner({ ...deps, collectionMap: new Map([['things', things]]) } as never, timeoutMs)
  const create = () => runner.inUnit(view, call => call(things, 'afterCreate', { row: {} as never }))
  return { runner, create }
}

test('rejects hooks of unknown collections and with unknown names', t => {
  const unknown = fixture({}, undefined, 'thing')
  t.throws(() => unknown.runner.load(), { message: /module "academy": unknown collection "thing"\. Did you mean/ })
  const misspelled = fixture({ afterCreated: () => undefined } as never)
  t.throws(() => misspelled.runner.load(), { message: /unknown hook "afterCreated"\. Did you mean "afterCreate"/ })
})

test('all hooks of a write share one time limit', async t => {
  const { runner } = fixture({ afterCreate: () => pause(150) }, 200)
  const twice = runner.inUnit(view, async call => {
    for (let calls = 0; calls < 2; calls++) await call(things, 'afterCreate', { row: {} as never })
  })
  await t.throwsAsync(twice, { code: 'hook_timed_out' })
})

test('what a write does between its hooks takes none of their time', async t => {
  const { runner } = fixture({ afterCreate: () => undefined }, 1000)
  const list = runner.inUnit(view, async call => {
    for (let rows = 0; rows < 2; rows++) {
      await call(things, 'afterCreate', { row: {} as never })
      await pause(1100)
    }
  })
  await t.notThrowsAsync(list)
})

test('the writes of a hook share its time limit', async t => {
  const slow: RowHooks<string> = {
    async afterCreate() {
      if (depth++ === 0) {
        await pause(150)
        await nested.create()
      } else await pause(150)
    },
  }
  let depth = 0
  const nested = fixture(slow, 200)
  await t.throwsAsync(nested.create(), { code: 'hook_timed_out' })
})

test('aborts the signal of a hook when its time is over', async t => {
  let aborted = false
  const { create } = fixture(
    {
      afterCreate: ({ signal }) =>
        new Promise(() =>
          signal.addEventListener('abort', () => {
            aborted = true
          }),
        ),
    },
    20,
  )
  await t.throwsAsync(create(), { code: 'hook_timed_out' })
  t.true(aborted)
})

test('passes on errors of the database server, but not those of the statements of a hook', async t => {
  const failing = (code: string) =>
    fixture({
      async afterCreate() {
        throw Object.assign(new Error(`sqlstate ${code}`), { code })
      },
    })
  await t.throwsAsync(failing('08006').create(), { message: 'sqlstate 08006' })
  await t.throwsAsync(failing('40001').create(), { message: 'sqlstate 40001' })
  await t.throwsAsync(failing('23505').create(), { code: 'hook_failed' })
})
