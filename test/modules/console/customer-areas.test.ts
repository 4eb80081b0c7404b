/** Which areas the document of the console names, by workspace. */
import test, { type ExecutionContext } from 'ava'
import { startTestKernel } from '../../../testing/index.ts'
import { newEmail } from '../identity/fixtures.ts'
import { promote } from '../platform/fixtures.ts'

async function start(t: ExecutionContext, console: object) {
  const kernel = await startTestKernel({ recipe: { modules: { identity: {}, comms: {}, forms: {}, console } } })
  t.teardown(() => kernel.stop())
  const areas = async (tenantId: string, cookie: string) => {
    const response = await fetch(`${kernel.url}/console/${tenantId}`, { headers: { accept: 'text/html', cookie } })
    return /<meta name="areas" content="([^"]*)">/.exec(await response.text())?.[1]
  }
  return { kernel, areas }
}

test('the console of a customer has the areas that the recipe names, that of the operator all', async t => {
  const { kernel, areas } = await start(t, { customers: ['forms', 'comms'] })
  const ada = await kernel.register(newEmail('ada'))
  t.is(await areas(ada.tenantId, ada.cookie), 'forms comms')
  const admin = await promote(kernel, await kernel.register(newEmail('boss')))
  t.is(await areas(admin.tenantId, admin.cookie), '*')
  t.is(await areas(ada.tenantId, admin.cookie), 'forms comms', 'an operator who looks into it sees what customers see')
})

test('by default, the console of a customer has the collections, and hidden areas change no answer of the API', async t => {
  const { kernel, areas } = await start(t, {})
  const ada = await kernel.register(newEmail('ada'))
  t.is(await areas(ada.tenantId, ada.cookie), 'collections')
  t.is((await ada.get('/v1/forms')).status, 200)
  const { body } = await ada.get('/v1/platform/resources')
  t.true(body.data.find(({ id }) => id === 'forms.forms')?.offered)
})

test('all shows every area', async t => {
  const { kernel, areas } = await start(t, { customers: 'all' })
  const ada = await kernel.register(newEmail('ada'))
  t.is(await areas(ada.tenantId, ada.cookie), '*')
})
