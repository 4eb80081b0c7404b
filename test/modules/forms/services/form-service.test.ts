import { setTimeout as pause } from 'node:timers/promises'
import test from 'ava'
import type { FormListing } from '../../../../modules/forms/services/form-repository.ts'
import { createFormService } from '../../../../modules/forms/services/form-service.ts'
import { services } from '../../../../modules/forms/services.ts'
import { startTestKernel } from '../../../../testing/index.ts'
import { servicesWith } from '../../../fixtures/services.ts'

/** Longer than a change takes. */
const CONCURRENT_CHANGE_MS = 1500

test('an update returns what it wrote, although another one follows before the form is read', async t => {
  const kernel = await startTestKernel({ recipe: { modules: { identity: {}, forms: {} } } })
  t.teardown(() => kernel.stop())
  const ada = await kernel.register('ada@example.test')
  const { body } = await ada.post('/v1/forms', { name: 'first', schema: { type: 'object' } })
  const { ports } = kernel.kernel
  const { database, clock, events, jobs } = ports
  const listing = servicesWith(services, ports).formListing
  const change = (name: string) => ada.patch(`/v1/forms/${body.id}`, { name })
  let other: ReturnType<typeof change> | undefined
  const formListing: FormListing = {
    ...listing,
    async get(...given) {
      other = change('theirs')
      await Promise.race([other, pause(CONCURRENT_CHANGE_MS)])
      return listing.get(...given)
    },
  }
  const forms = createFormService({
    database,
    clock,
    events,
    jobs,
    formListing,
    formCache: { invalidateAfterCommit: () => undefined } as never,
    formValidation: {} as never,
    recipientConfirmation: { request: async () => undefined } as never,
  })
  const own = await forms.update(ada.tenantId, body.id, { name: 'own' }, {}, { userId: ada.userId } as never)
  t.like(own, { name: 'own', version: 2 })
  t.like((await other)?.body, { name: 'theirs', version: 3 })
})
