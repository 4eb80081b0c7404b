/** Where the name of a person stood whose account is deleted. */
import test from 'ava'
import { colleague } from '../modules/identity/fixtures.ts'
import { checkScreen, startOwnConsole, waitForScreen } from '../system/console-fixtures.ts'

const COLLECTIONS = {
  tickets: {
    label: 'Ticket',
    title: 'Tickets',
    search: ['subject'],
    history: 10,
    trash: '30d',
    fields: { subject: { type: 'text', required: true }, agent: { type: 'member', default: '$member' } },
  },
}
/** Its run follows a row that the person created. */
const AUTOMATIONS = {
  follow: { on: 'collections.tickets.created', steps: [{ wait: '2d' }] },
}
const MODULES = {
  automations: {},
  collections: {},
  content: {},
  features: {},
  forms: {},
  messaging: {},
  sessions: {},
  streams: {},
  webhooks: {},
  platform: {},
}
interface Listed {
  readonly module: string
  readonly name: string
  readonly key: string
  readonly within: string | null
  readonly operations: { readonly list: { readonly path: string }; readonly get?: object }
}

test.serial('every list, record and home screen names a deleted person, and shows no ID', async t => {
  t.timeout(600_000)
  const { ada, open, kernel, url } = await startOwnConsole(t, MODULES, {
    automations: AUTOMATIONS,
    collections: COLLECTIONS,
  })
  const { person, post } = await colleague(kernel, ada, ['tenant.owner'])
  const made = [
    await post('/v1/data/tickets', { subject: 'Printer is on fire' }),
    await post('/v1/content/pages', { slug: 'about', title: 'About', body: 'Us' }),
    await post('/v1/features', { key: 'editor', name: 'Editor', default: false }),
    await post('/v1/forms', { name: 'Contact', schema: { type: 'object', properties: { name: { type: 'string' } } } }),
    await post('/v1/messaging/conversations', { subject: 'Tea', participantIds: [ada.userId] }),
    await post('/v1/streams', { title: 'Launch' }),
    await post('/v1/identity/api-keys', { name: 'Till', permissions: ['identity.member.read'] }),
  ]
  t.deepEqual(
    made.map(({ status }) => status),
    made.map(() => 201),
    JSON.stringify(made.map(({ body }) => body)),
  )
  t.is((await person.post('/v1/auth/me/delete', { password: person.password })).status, 204)
  await kernel.settled()

  const page = await open(ada, '')
  await waitForScreen(page)
  t.regex(
    await page.getByRole('region', { name: 'Recent activity' }).innerText(),
    /Former member\s+created Printer is on fire\s+Ticket · /,
  )
  const found = await checkScreen(page, 'deleted-home')
  const { data: resources } = (await ada.get<{ data: Listed[] }>('/v1/platform/resources')).body
  for (const { module, name, key, operations } of resources.filter(({ within }) => within === null)) {
    const { status, body } = await ada.get<{ data?: Record<string, unknown>[] }>(operations.list.path)
    const row = status === 200 ? body.data?.[0] : undefined
    if (!row) continue
    const screen = `${url}/console/${module}/${name}`
    await page.goto(screen)
    found.push(...(await checkScreen(page, `deleted-${module}-${name}`)))
    if (!operations.get) continue
    await page.goto(`${screen}/${encodeURIComponent(String(row[key]))}`)
    found.push(...(await checkScreen(page, `deleted-${module}-${name}-record`)))
  }
  t.deepEqual(found, [])
})
