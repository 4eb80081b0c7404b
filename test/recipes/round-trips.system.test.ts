import test from 'ava'
import { createEnvironment } from '../../bench/fixtures.ts'
import { routes } from '../../bench/routes.ts'

test('no route needs more round trips than it may', async t => {
  t.timeout(600_000)
  const environment = await createEnvironment()
  t.teardown(() => environment.close())
  t.regex(await routes(environment, ['--counts']), /Round trips/)
})
