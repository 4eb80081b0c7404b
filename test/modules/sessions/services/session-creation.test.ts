import test from 'ava'
import { newCode } from '../../../../modules/sessions/domain/code.ts'
import { createSessionMaker } from '../../../../modules/sessions/services/session-creation.ts'
import { createSweeper } from '../../../../modules/sessions/services/session-sweeper.ts'
import type { Person, TestKernel } from '../../../../testing/index.ts'
import { handClock, startSessions } from '../fixtures.ts'

const clock = handClock()
let kernel: TestKernel
let ada: Person
let bob: Person
test.before(async () => {
  kernel = await startSessions({}, { clock, role: 'web' })
  ada = await kernel.register('ada@example.test')
  bob = await kernel.register('bob@example.test')
})
test.after.always(() => kernel?.stop())

const maker = (codes: string[]) => createSessionMaker(kernel.kernel.ports, {}, () => codes.shift() ?? newCode())
const created = async (person: Person) =>
  (
    await kernel.kernel.inspector.events.list({
      tenantId: person.tenantId,
      type: 'sessions.session.created',
      limit: 200,
    })
  ).data.length

test.serial(
  'a code that a live session of any workspace has is drawn again, and nothing is told of the first try',
  async t => {
    const code = newCode()
    t.is((await maker([code])(ada.tenantId, { mode: 'stream' })).code, code)
    const before = await created(bob)
    t.not((await maker([code, code])(bob.tenantId, { mode: 'stream' })).code, code)
    t.is(await created(bob), before + 1)
  },
)

test.serial('a code is free again once its session is over', async t => {
  const code = newCode()
  await maker([code])(ada.tenantId, { mode: 'screenshare', ttl_seconds: 1 })
  clock.forward(1000)
  await createSweeper(kernel.kernel.ports)()
  t.is((await maker([code])(bob.tenantId, { mode: 'screenshare' })).code, code)
})

test.serial('a code that is taken for ever is an error and leaves nothing behind', async t => {
  const code = newCode()
  await maker([code])(ada.tenantId, { mode: 'screenshare' })
  const before = await created(bob)
  await t.throwsAsync(maker(Array(9).fill(code))(bob.tenantId, { mode: 'screenshare' }))
  t.is(await created(bob), before)
})

test.serial('what a caller adds goes in the same flight: all of it or nothing', async t => {
  const make = maker([])
  const before = await created(ada)
  await t.throwsAsync(make(ada.tenantId, { mode: 'stream' }, () => [['select 1 / 0']]))
  t.is(await created(ada), before)
  const { id } = await make(ada.tenantId, { mode: 'stream' }, session => [
    [`update sessions_sessions set purpose = 'added' where id = $1`, [session.id]],
  ])
  t.like((await ada.get<{ purpose: string }>(`/v1/sessions/${id}`)).body, { purpose: 'added' })
})
