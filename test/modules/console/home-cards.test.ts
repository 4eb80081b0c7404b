/** Cards of the home screen: whose records the caller may list, and what their filters say of the caller. */
import test from 'ava'
import type { Client } from '../../../testing/index.ts'
import { withPeople } from '../../fixtures/with-people.ts'

const { kernel, people, owner, agent, guest } = withPeople(
  test,
  {
    recipe: {
      roles: {
        'tenant.agent': { name: 'Agent', permissions: ['collections.cases.*'] },
        'tenant.guest': { name: 'Guest', permissions: [] },
      },
      modules: {
        identity: {},
        comms: {},
        collections: {},
        console: {
          home: [
            {
              count: 'cases',
              filter: { status: { in: ['open'] }, assignee: '$member', due: { lt: '$today' } },
              title: { en: 'Mine', de: 'Meine' },
            },
            { chart: 'cases', by: 'week', time: 'due', sum: 'hours' },
            { count: 'case_types' },
          ],
        },
      },
      collections: {
        cases: {
          fields: {
            status: { type: 'enum', values: ['open', 'done'] },
            assignee: { type: 'member' },
            due: { type: 'date' },
            hours: { type: 'integer' },
          },
        },
        case_types: { fields: { name: { type: 'text' } }, access: { read: { 'tenant.guest': true } } },
      },
    },
  },
  { owner: 'owner', agent: ['tenant.agent'], guest: ['tenant.guest'] },
)

interface Card {
  readonly id: string
  readonly title: string | null
  readonly filters: readonly { readonly name: string; readonly value: string }[]
}
const cards = async (client: Client, language = 'en') => {
  const { body, status } = await client.get<{ data: Card[] }>('/v1/console/home', {
    headers: { 'accept-language': language },
  })
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body.data
}

test('a card has its kind, its resource and the parameters of its list, with the reader and the day filled in', async t => {
  const [mine, chart, ...others] = await cards(agent)
  const today = new Date().toISOString().slice(0, 10)
  t.deepEqual(mine as unknown, {
    id: 'recipe.0',
    kind: 'count',
    title: 'Mine',
    resource: 'collections.cases',
    filters: [
      { name: 'filter[status][in]', value: 'open' },
      { name: 'filter[status][in]', value: 'open' },
      { name: 'filter[assignee]', value: mine?.filters[2]?.value },
      { name: 'filter[due][lt]', value: today },
    ],
    by: null,
    time: null,
    sum: null,
  })
  t.regex(mine?.filters[2]?.value ?? '', /^mem_/)
  t.deepEqual(chart as unknown, {
    id: 'recipe.1',
    kind: 'chart',
    title: null,
    resource: 'collections.cases',
    filters: [],
    by: 'week',
    time: 'due',
    sum: 'hours',
  })
  t.deepEqual(others, [])
})

test('the list of a card takes its parameters', async t => {
  const [mine] = await cards(agent)
  const member = mine?.filters.find(({ name }) => name === 'filter[assignee]')?.value
  for (const [due, status] of [
    ['2020-01-01', 'open'],
    ['2020-01-01', 'done'],
    ['2999-01-01', 'open'],
  ])
    t.is((await agent.post('/v1/data/cases', { status, due, assignee: member })).status, 201)
  const query = new URLSearchParams(mine?.filters.map(({ name, value }): [string, string] => [name, value]))
  const { body } = await agent.get<{ data: { due: string }[] }>(`/v1/data/cases?${query}`)
  t.deepEqual(
    body.data.map(({ due }) => due),
    ['2020-01-01'],
  )
})

test('a person sees the cards of the collections that they may read, in their language', async t => {
  t.deepEqual(
    (await cards(owner, 'de')).map(({ id, title }) => [id, title]),
    [
      ['recipe.0', 'Meine'],
      ['recipe.1', null],
      ['recipe.2', null],
    ],
  )
  t.deepEqual(
    (await cards(guest)).map(({ id }) => id),
    ['recipe.2'],
  )
  const stranger = await people.person()
  const elsewhere = stranger.with({ 'x-tenant-id': owner.tenantId })
  t.is((await elsewhere.get('/v1/console/home')).status, 403)
  t.is((await kernel.get('/v1/console/home')).status, 401)
})
