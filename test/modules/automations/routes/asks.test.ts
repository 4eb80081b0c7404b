import test from 'ava'
import { createAskNotices } from '../../../../modules/automations/services/asks/ask-notices.ts'
import { withPeople } from '../../../fixtures/with-people.ts'
import { notesOf } from '../fixtures.ts'
import { type Problem, shopRecipe } from './fixtures.ts'

interface Ask {
  readonly id: string
  readonly text: string
  readonly choices: readonly string[]
  readonly choice: string | null
  readonly answeredBy: string | null
}
const ASKS = '/v1/automations/asks'

const { kernel, people } = withPeople(test, { recipe: shopRecipe })

async function asked() {
  const owner = await people.person()
  const managers = [
    await people.colleague(owner, ['tenant.manager']),
    await people.colleague(owner, ['tenant.manager']),
  ] as const
  await owner.post('/v1/data/orders', { number: 'decide' })
  await kernel.settled()
  const { data } = (await managers[0].get<{ data: Ask[] }>(ASKS)).body
  return { owner, managers, ask: data[0] as Ask, path: `${ASKS}/${data[0]?.id}` }
}

test('those with the role see the question in their language', async t => {
  const { managers, path, ask } = await asked()
  t.like(ask, { text: 'Ship decide?', choices: ['ship', 'wait'], choice: null })
  const { body } = await managers[1].get<Ask>(path, { headers: { 'accept-language': 'de' } })
  t.is(body.text, 'decide versenden?')
})

test('an answer continues the run, and closes the question', async t => {
  const { owner, managers, path } = await asked()
  const { status, body } = await managers[0].post<Ask>(`${path}/answer`, { choice: 'ship' })
  t.is(status, 200)
  t.like(body, { choice: 'ship', answeredBy: managers[0].userId })
  await kernel.settled()
  t.deepEqual(await notesOf(owner), ['decided ship'])
  t.deepEqual((await managers[1].get<{ data: Ask[] }>(ASKS)).body.data, [])
})

test('the first of two answers at the same time decides', async t => {
  const { owner, managers, path } = await asked()
  const all = await Promise.all(
    managers.map((manager, index) => manager.post<Problem>(`${path}/answer`, { choice: index ? 'wait' : 'ship' })),
  )
  t.deepEqual(all.map(({ status }) => status).sort(), [200, 409])
  await kernel.settled()
  t.is((await notesOf(owner)).length, 1)
})

test('an unknown choice, a wrong type and unknown fields are refused', async t => {
  const { managers, path } = await asked()
  const status = async (body: unknown) => (await managers[0].post<Problem>(`${path}/answer`, body)).status
  t.is(await status({ choice: 'burn' }), 422)
  t.is(await status({ choice: 5 }), 422)
  t.is(await status({}), 422)
  t.is(await status({ choice: 'ship', more: 1 }), 422)
})

test('members without the role, strangers and API keys neither see nor answer it', async t => {
  const { owner, path } = await asked()
  const reader = await people.colleague(owner, ['tenant.reader'])
  t.is((await reader.get<Problem>(path)).status, 404)
  t.is((await reader.post<Problem>(`${path}/answer`, { choice: 'ship' })).status, 403)
  const stranger = await people.person()
  t.is((await stranger.get<Problem>(path)).status, 404)
  t.is((await stranger.post<Problem>(`${path}/answer`, { choice: 'ship' })).status, 404)
  const key = kernel.as(owner.apiKey, owner.tenantId)
  t.is((await key.post<Problem>(`${path}/answer`, { choice: 'ship' })).status, 403)
  t.is((await kernel.post<Problem>(`${path}/answer`, { choice: 'ship' })).status, 401)
})

test('each member with the role gets an email with a link of their own', async t => {
  const { managers, ask } = await asked()
  const operator = await people.operator()
  await kernel.settled()
  const { body } = await operator.get<{ data: { id: string; to: string }[] }>('/v1/communications/mailbox?limit=200')
  const mails = []
  for (const { id, to } of body.data) {
    const { text } = (await operator.get<{ text: string }>(`/v1/communications/mailbox/${id}`)).body
    if (text.includes(ask.id)) mails.push({ to, text })
  }
  t.deepEqual(mails.map(({ to }) => to).sort(), managers.map(({ email }) => email).sort())
})

test('a question about a row that is deleted is closed, and its run ends', async t => {
  const { owner, managers, path, ask } = await asked()
  const { body } = await owner.get<{ data: { id: string }[] }>('/v1/data/orders')
  const [order] = body.data
  t.true((await owner.delete(`/v1/data/orders/${order?.id}`)).status < 300)
  await kernel.settled()
  t.deepEqual((await managers[0].get<{ data: Ask[] }>(ASKS)).body.data, [])
  t.is((await managers[0].post<Problem>(`${path}/answer`, { choice: 'ship' })).body.code, 'already_answered')
  const runs = await kernel.automations.runs({ automation: 'decide', tenantId: owner.tenantId })
  t.deepEqual(
    runs.map(({ state, steps }) => [state, steps.map(step => step.state)]),
    [['ended', ['cancelled']]],
  )
  t.is(ask.choice, null)
})

test('a long question is told in a message and by email, shortened', async t => {
  const told: string[] = []
  const person = { userId: 'usr_1', email: 'ada@example.test', locale: 'en' }
  const notices = createAskNotices({
    database: {
      tenant: () => ({
        query: async () => ({ rows: [{ text: `${'x'.repeat(1998)}😀${'y'.repeat(20_000)}`, choices: [] }] }),
      }),
    },
    product: { publicUrl: 'https://acme.test', locales: { default: 'en' } },
    people: { withRole: async () => [person] },
    memberNotices: { send: async (_tenantId: string, _userIds: string[], text: string) => void told.push(text) },
    mailer: { send: async ({ data }: { data: { question: string } }) => void told.push(data.question) },
  } as never)
  await notices.send({ tenantId: 'tnt_1', payload: { askId: 'ask_1', role: 'tenant.owner' } } as never)
  const short = `${'x'.repeat(1998)}…`
  t.deepEqual(told, [short, short])
})

test('the page of the link shows buttons, and answers only by a post of the person whom it was sent to', async t => {
  const { owner, managers, ask } = await asked()
  const [first, second] = managers
  const link = `/questions/${ask.id}?workspace=${owner.tenantId}&for=${first.userId}`
  const at = `/questions/${ask.id}?for=${first.userId}`
  const open = (cookie: string) =>
    kernel.get<string>(at, { headers: { cookie: `${cookie}; ${selected}`, accept: 'text/html' } })
  const linked = await kernel.get(link, { headers: { cookie: first.cookie, accept: 'text/html' } })
  t.is(linked.headers.get('location'), at)
  const [selected] = (linked.headers.get('set-cookie') ?? '').split(';')
  const page = await open(first.cookie)
  t.is(page.status, 200)
  t.regex(page.body, /Ship decide\?/)
  t.regex(page.body, /value="ship"/)
  t.is((await first.get<Ask>(`${ASKS}/${ask.id}`)).body.choice, null)
  t.is((await open(second.cookie)).status, 404)
  const post = (cookie: string, choice: string) =>
    fetch(`${kernel.url}${at}`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ choice }),
      headers: { cookie: `${cookie}; ${selected}`, origin: 'http://localhost:8080' },
    })
  t.is((await post(second.cookie, 'ship')).status, 404)
  t.is((await post(first.cookie, 'burn')).status, 422)
  t.is((await post(first.cookie, 'ship')).status, 303)
  t.is((await first.get<Ask>(`${ASKS}/${ask.id}`)).body.choice, 'ship')
  t.notRegex((await open(first.cookie)).body, /value="ship"/)
})
