import test from 'ava'
import type { Caller, Inspector } from '../../../../kernel/index.ts'
import { consolePages } from '../../../../modules/platform/pages/console.ts'

test('rejects a retry from a caller who can only read all tenants', async t => {
  const retried: string[] = []
  const inspector = { events: { retry: async (id: string) => retried.push(id) } } as unknown as Inspector
  const [shown] = consolePages({ inspector })
  const caller = { can: (permission: string): boolean => permission === 'platform.tenant.read_all' } as Caller
  await t.throwsAsync(async () => shown?.post?.({ form: { id: 'dlv_1' }, caller } as never), {
    message: /platform\.tenant\.retry_all/,
  })
  t.deepEqual(retried, [])
})
