import test from 'ava'
import { createInstallation, kill } from './processes.ts'

test('three processes that start concurrently on an empty database migrate it once and all serve requests', async t => {
  const larder = await createInstallation(t)
  const started = await Promise.all([1, 2, 3].map(() => larder.startProcess('start', { LOG_LEVEL: 'info' })))
  for (const { url } of started) t.is((await fetch(`${url}/v1/health/readiness`)).status, 200)
  const shown = started.filter(({ err }) => err().includes('/v1/auth/claim'))
  t.is(shown.length, 1, 'one process prints the claim code')
  const exits = await Promise.all(started.map(process => kill(process, 'SIGTERM')))
  t.deepEqual(exits, [0, 0, 0])

  const migrated = started.flatMap(({ out }) => [...out().matchAll(/"count":(\d+),"msg":"migrated"/g)])
  t.is(migrated.length, 1, 'one process migrated')
  t.is(await larder.owner.value('select count(*)::int from larder_migrations'), Number(migrated[0]?.[1]))
  t.is(await larder.owner.value('select count(*)::int from larder_installation'), 1)
  t.is(await larder.owner.value('select count(*)::int from identity_tenants'), 1)
  t.is(await larder.owner.value('select count(*)::int from identity_claims'), 1)
})
