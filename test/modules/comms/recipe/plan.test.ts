import test from 'ava'
import { plan } from '../../../../modules/comms/recipe/plan.ts'
import { validate } from '../../../../modules/comms/recipe/validate.ts'
import { createTemplateOverrides } from '../../../../modules/comms/services/template-overrides.ts'
import { TENANT, useComms } from '../fixtures.ts'

const startComms = useComms(test)

test('lists removed templates with overrides or queued messages', async t => {
  const comms = await startComms(t)
  t.deepEqual(await plan(comms.deps), [])
  const texts = createTemplateOverrides(comms.deps)
  const own = { subject: 's', preheader: null, html: 'h', text: null }
  for (const [tenant, locale] of [
    [TENANT, 'en'],
    [TENANT, 'de'],
    ['ten_b', 'en'],
  ] as const)
    await texts.write(tenant, 'shop.gone', locale, own)
  await texts.write(TENANT, 'shop.hello', 'en', own)
  await comms.send()
  t.deepEqual(await plan(comms.deps), [
    {
      change: 'remove',
      subject: 'mail template shop.gone in use',
      detail: 'no module or recipe provides it',
      breaks: '2 tenants have an override that stays unused',
    },
  ])
  await comms.asOwner("update comms_messages set template = 'shop.gone'")
  t.like((await plan(comms.deps))[0], {
    breaks: "2 tenants have an override that stays unused; 1 queued message can't be sent",
  })
})

test('rejects an invalid key of a provider', t => {
  const faults = (publicKey: string) =>
    validate({
      options: { intake: { sendgrid: { publicKey } } },
      sections: {},
      folder: '/',
      locales: { default: 'en', available: ['en'] },
      audience: 'teams',
      publicUrl: 'https://acme.test',
      modules: [],
      services: [],
      roles: {},
      complete: true,
      isValid: () => true,
      isEntirelyValid: () => true,
      env: {},
      section: () => undefined,
      isOwn: () => true,
      pageData: () => undefined,
      pages: () => ({ endpoints: [], complete: true }),
      resolveFile: (_path, value) => value,
    }).map(({ path }) => path.join('.'))
  t.deepEqual(faults(''), [])
  t.deepEqual(faults('AAAA'), ['modules.comms.intake.sendgrid.publicKey'])
})
