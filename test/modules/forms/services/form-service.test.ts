import { setTimeout as pause } from 'node:timers/promises'
import test from 'ava'
import { createFormService } from '../../../../modules/forms/services/form-service.ts'
import type { FormServices } from '../../../../modules/forms/services/form-services.ts'
import { startTestKernel } from '../../../../testing/index.ts'

/** Longer than a change takes. */
const CONCURRENT_CHANGE_MS = 1500

test('an update returns what it wrote, although another one follows before the form is read', async t => {
  const kernel = await startTestKernel({ recipe: { modules: { identity: {}, forms: {} } } })
  t.teardown(() => kernel.stop())
  const ada = await kernel.register('ada@example.test')
  const { body } = await ada.post<{ id: string }>('/v1/forms', { name: 'first', schema: { type: 'object' } })
  const ports = kernel.kernel.ports
  const { formServices } = ports as unknown as { readonly formServices: FormServices }
  const change = (name: string) => ada.patch<{ name: string }>(`/v1/forms/${body.id}`, { name })
  let other: ReturnType<typeof change> | undefined
  const listing: FormServices['listing'] = {
    ...formServices.listing,
    async get(...given) {
      other = change('theirs')
      await Promise.race([other, pause(CONCURRENT_CHANGE_MS)])
      return formServices.listing.get(...given)
    },
  }
  const forms = createFormService(ports, {
    ...formServices,
    listing,
    validation: { check: async () => undefined } as never,
  })
  const own = await forms.update(ada.tenantId, body.id, { name: 'own' }, {}, { userId: ada.userId } as never)
  t.like(own, { name: 'own', version: 2 })
  t.like((await other)?.body, { name: 'theirs', version: 3 })
})
