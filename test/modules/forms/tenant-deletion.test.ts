import test from 'ava'
import { startTestKernel } from '../../../testing/index.ts'
import { CONTACT, ENTRY, FORMS } from './fixtures.ts'

test('a form ends in the transaction that deletes its workspace', async t => {
  const recipe = { modules: { identity: {}, comms: {}, forms: {} } }
  // Without a worker, the other rows of the workspace are not deleted.
  const kernel = await startTestKernel({ recipe, role: 'web' })
  t.teardown(() => kernel.stop())
  const ada = await kernel.register('ada@example.test')
  const form = { name: 'Contact', access: 'public', schema: CONTACT }
  const { id } = (await ada.post(FORMS, form)).body
  t.is((await kernel.get(`${FORMS}/${id}/blank`)).status, 200)
  t.is((await ada.delete(`/v1/identity/tenants/${ada.tenantId}`)).status, 204)
  t.is((await kernel.get(`${FORMS}/${id}/blank`)).status, 404)
  t.is((await kernel.post(`${FORMS}/${id}/submit`, ENTRY)).status, 404)
  t.is((await kernel.get(`/forms/${id}`)).status, 404)
})
