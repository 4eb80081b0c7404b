/** What the console gets for rows of collections: buttons, and the list of the runs that follow a row. */
import test from 'ava'
import type { Client } from '../../../testing/index.ts'
import { withPeople } from '../../fixtures/with-people.ts'
import { shopRecipe } from './routes/fixtures.ts'

interface Listed {
  readonly id: string
  readonly offered: boolean
  readonly within: string | null
  readonly actions: readonly Readonly<Record<string, unknown>>[]
  readonly relations: readonly unknown[]
}

const { people } = withPeople(test, { recipe: shopRecipe })

async function resource(by: Client, id: string, language = 'en'): Promise<Listed | undefined> {
  const headers = { 'accept-language': language }
  const { body } = await by.get<{ data: Listed[] }>('/v1/platform/resources', { headers })
  return body.data.find(each => each.id === id)
}

test('rows have the buttons whose role the person has, in their language', async t => {
  const owner = await people.person()
  const support = await people.colleague(owner, ['tenant.support'])
  const manager = await people.colleague(owner, ['tenant.manager'])
  const orders = await resource(support, 'collections.orders', 'de')
  t.like(
    orders?.actions.find(({ id }) => id === 'pressRefund'),
    {
      title: 'Erstatten',
      body: { row: 'id' },
      isButton: true,
      done: 'Die Automatisierung ist gestartet.',
      when: { state: ['open'] },
    },
  )
  t.deepEqual(
    orders?.actions.filter(({ id }) => id === 'pressTouch'),
    [],
  )
  const others = await resource(manager, 'collections.orders')
  t.deepEqual(
    others?.actions.filter(({ isButton }) => isButton),
    [],
  )
})

test('rows of collections that an automation follows have the list of their runs, and no others', async t => {
  const owner = await people.person()
  const reader = await people.colleague(owner, ['tenant.reader'])
  const orders = await resource(reader, 'collections.orders')
  t.deepEqual(orders?.relations, [{ resource: 'automations.orders-runs', parameters: { 'filter[rowId]': 'id' } }])
  t.like(await resource(reader, 'automations.orders-runs'), { within: 'collections.orders', offered: true })
  t.is(await resource(owner, 'automations.notes-runs'), undefined)
  t.deepEqual((await resource(owner, 'collections.notes'))?.relations, [])
})

test('runs of all workspaces are offered in that of the operator only', async t => {
  const owner = await people.person()
  t.false((await resource(owner, 'automations.runs'))?.offered)
  t.true((await resource(await people.operator(), 'automations.runs'))?.offered)
})
