import test from 'ava'
import { HOUR } from '../../../../kernel/base/units.ts'
import { codeOf, createTestClock, newEmail, startIdentity } from '../fixtures.ts'

/** Returns what `work` writes to the terminal. */
async function terminal<T>(work: () => Promise<T>): Promise<{ result: T; shown: string }> {
  const { write } = process.stderr
  let shown = ''
  process.stderr.write = (text: string | Uint8Array) => {
    shown += String(text)
    return true
  }
  try {
    return { result: await work(), shown }
  } finally {
    process.stderr.write = write
  }
}
const CODE = /\b([2-9B-Z]{4}-){3}[2-9B-Z]{4}\b/

test.serial('prints the claim code on the first start only', async t => {
  const clock = createTestClock()
  const first = await terminal(() => startIdentity({}, { clock }))
  const kernel = first.result
  t.teardown(() => kernel.stop())
  const again = (more: object = {}) =>
    terminal(async () => {
      const second = await startIdentity({}, { database: kernel.databaseUrl, clock, ...more })
      await second.stop()
    })
  const code = CODE.exec(first.shown)?.[0] ?? ''
  t.not(code, '')
  t.is((await again()).shown, '', 'a code that is still good is not shown twice')
  clock.forward(1 * HOUR)
  const newer = CODE.exec((await again()).shown)?.[0] ?? ''
  t.not(newer, '')
  t.not(newer, code)

  const ada = await kernel.register(newEmail())
  t.is(codeOf(await ada.post('/v1/auth/claim', { code })), '403 invalid_claim')
  const typed = newer.toLowerCase().replaceAll('-', ' ')
  t.is(codeOf(await ada.post('/v1/auth/claim', { code: typed })), '200')
  clock.forward(2 * HOUR)
  t.is((await again()).shown, '', 'what is claimed is not to be claimed')
  const { rows } = await kernel.kernel.ports.systemDatabase
    .acrossTenants('a test counts tenants')
    .query('select slug from identity_tenants where tenant_id = $1', [kernel.kernel.ports.operator.tenantId])
  t.deepEqual(rows, [{ slug: 'operator' }])
})

test.serial('exactly one of many concurrent claims succeeds', async t => {
  const { result: kernel, shown } = await terminal(() => startIdentity())
  t.teardown(() => kernel.stop())
  const people = await Promise.all([1, 2, 3].map(() => kernel.register(newEmail())))
  const code = CODE.exec(shown)?.[0]
  const made = await Promise.all(people.map(one => one.post('/v1/auth/claim', { code })))
  t.deepEqual(made.map(codeOf).sort(), ['200', '403 invalid_claim', '403 invalid_claim'])
})
