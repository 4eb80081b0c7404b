import test from 'ava'
import { house, kill } from './processes.ts'

test('three processes that start at once on an empty database migrate it once, and all of them serve', async t => {
  const larder = await house(t)
  const started = await Promise.all([1, 2, 3].map(() => larder.up('start', { LOG_LEVEL: 'info' })))
  for (const { url } of started) t.is((await fetch(`${url}/v1/health/readiness`)).status, 200)
  const shown = started.filter(({ err }) => err().includes('/v1/auth/claim'))
  t.is(shown.length, 1, 'one shows the code to claim the installation')
  const exits = await Promise.all(started.map(process => kill(process, 'SIGTERM')))
  t.deepEqual(exits, [0, 0, 0])

  const migrated = started.flatMap(({ out }) =>
    [...out().matchAll(/"module":"(\w+)","migration":"([^"]+)"/g)].map(([, module, name]) => `${module} ${name}`),
  )
  t.true(migrated.length >= 5)
  t.is(new Set(migrated).size, migrated.length, 'each migration ran in one of them')
  t.is(await larder.owner.number('select count(*)::int from larder_installation'), 1)
  t.is(await larder.owner.number('select count(*)::int from identity_tenants'), 1)
  t.is(await larder.owner.number('select count(*)::int from identity_claims'), 1)
})
