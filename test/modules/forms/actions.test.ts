import test from 'ava'
import { valueKind } from '../../../kernel/index.ts'
import type { Client } from '../../../testing/index.ts'
import { ACTIONS, actionOf, runAction } from '../../fixtures/actions.ts'
import { problemOf } from '../../fixtures/problem-of.ts'
import { withPeople } from '../../fixtures/with-people.ts'

const { kernel, people } = withPeople(test, ACTIONS)

async function submitted(client: Client) {
  const schema = { type: 'object', properties: { email: { type: 'string' } } }
  const { body: form } = await client.post<{ id: string }>('/v1/forms', { name: 'Contact', access: 'public', schema })
  await kernel.post(`/v1/forms/${form.id}/submit`, { data: { email: 'eve@example.test' } })
  const { body } = await client.get<{ data: { id: string }[] }>(`/v1/forms/${form.id}/submissions`)
  return { form: form.id, submission: body.data[0]?.id ?? '' }
}

test('reads the entry of a submission with the name of its form', async t => {
  const ada = await people.person()
  const output = await runAction(kernel.kernel, 'forms.read', await submitted(ada), ada)
  t.deepEqual(output, { key: null, name: 'Contact', data: { email: 'eve@example.test' } })
})

test('runs do not show the entry', t => {
  const { output } = actionOf(kernel.kernel, 'forms.read')
  t.is(valueKind(Reflect.get(output ?? {}, 'properties').data), 'secret')
})

test('reads no submission of another workspace or of another form', async t => {
  const [ada, bob] = [await people.person(), await people.person()]
  const own = await submitted(ada)
  const other = await submitted(ada)
  t.is((await problemOf(t, runAction(kernel.kernel, 'forms.read', own, bob))).code, 'not_found')
  const mixed = { form: own.form, submission: other.submission }
  t.is((await problemOf(t, runAction(kernel.kernel, 'forms.read', mixed, ada))).code, 'not_found')
})
