import test from 'ava'
import { generateCode } from '../../../../modules/sessions/domain/code.ts'
import { createSessionCreation } from '../../../../modules/sessions/services/session-creation.ts'
import { createSweeper } from '../../../../modules/sessions/services/session-sweeper.ts'
import type { Person } from '../../../../testing/index.ts'
import { withPeople } from '../../../fixtures/with-people.ts'
import { manualClock, sessionsRecipe } from '../fixtures.ts'

const clock = manualClock()
const { kernel, ada, bob } = withPeople(
  test,
  { recipe: sessionsRecipe(), clock, role: 'web' },
  { ada: 'owner', bob: 'owner' },
)

const creationWith = (codes: string[]) =>
  createSessionCreation(kernel.kernel.ports, {}, () => codes.shift() ?? generateCode())
const created = async (person: Person) =>
  (
    await kernel.kernel.inspector.events.list({
      tenantId: person.tenantId,
      type: 'sessions.session.created',
      limit: 200,
    })
  ).data.length

test.serial(
  'replaces a code that a live session of any tenant uses, without publishing the failed attempt',
  async t => {
    const code = generateCode()
    t.is((await creationWith([code])(ada.tenantId, { mode: 'stream' })).code, code)
    const before = await created(bob)
    t.not((await creationWith([code, code])(bob.tenantId, { mode: 'stream' })).code, code)
    t.is(await created(bob), before + 1)
  },
)

test.serial('reuses the code of a finished session', async t => {
  const code = generateCode()
  await creationWith([code])(ada.tenantId, { mode: 'screenshare', ttl_seconds: 1 })
  clock.forward(1000)
  await createSweeper(kernel.kernel.ports)()
  t.is((await creationWith([code])(bob.tenantId, { mode: 'screenshare' })).code, code)
})

test.serial('fails without side effects when every generated code is in use', async t => {
  const code = generateCode()
  await creationWith([code])(ada.tenantId, { mode: 'screenshare' })
  const before = await created(bob)
  await t.throwsAsync(creationWith(Array(9).fill(code))(bob.tenantId, { mode: 'screenshare' }))
  t.is(await created(bob), before)
})

test.serial('stores additional statements atomically with the session', async t => {
  const make = creationWith([])
  const before = await created(ada)
  await t.throwsAsync(make(ada.tenantId, { mode: 'stream' }, () => [['select 1 / 0']]))
  t.is(await created(ada), before)
  const { id } = await make(ada.tenantId, { mode: 'stream' }, session => [
    [`update sessions_sessions set purpose = 'added' where id = $1`, [session.id]],
  ])
  t.like((await ada.get(`/v1/sessions/${id}`)).body, { purpose: 'added' })
})
