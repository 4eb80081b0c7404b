import test from 'ava'
import { createPauseNotice } from '../../../../modules/webhooks/services/pause-notice.ts'

type Deps = Parameters<typeof createPauseNotice>[0]
type Sent = Parameters<NonNullable<Deps['mailer']>['send']>[0]

/** The mails about a paused endpoint, in a product with these modules. */
async function mailsIn(...modules: string[]): Promise<Sent[]> {
  const sent: Sent[] = []
  const unit = { query: async () => ({ rows: [{ id: 'whe_a', url: 'https://a.test/hook' }], rowCount: 1 }) }
  const deps = {
    database: { tenant: () => unit },
    log: { warn: () => {} },
    product: { publicUrl: 'https://acme.test' },
    registry: { declared: () => modules.map(key => ({ key })) },
    mailer: { send: async (mail: Sent) => void sent.push(mail) },
    people: { owners: async () => [{ email: 'ada@example.test', locale: null }] },
    tenantDirectory: { get: async () => ({ name: 'Engines', slug: 'engines' }) },
  } as unknown as Deps
  const event = { id: 'evt_a', tenantId: 'ten_a', payload: { endpointId: 'whe_a', reason: 'failing' } }
  await createPauseNotice(deps)(event as Parameters<ReturnType<typeof createPauseNotice>>[0])
  return sent
}

test('the mail about a paused endpoint links to its page in the console', async t => {
  const [mail] = await mailsIn('webhooks', 'console')
  t.like(mail?.data, { page: 'https://acme.test/console/engines/webhooks/endpoints/whe_a' })
})

test('the mail has no link in a product without the console', async t => {
  const [mail] = await mailsIn('webhooks')
  t.like(mail?.data, { page: '' })
})
