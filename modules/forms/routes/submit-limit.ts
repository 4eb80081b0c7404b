import { addressKey, MINUTE, type RateLimit } from '@larder-dev/larder/kernel'
import type { FormCache } from '../services/form-cache.ts'

/** Ten submissions a minute per address and form. Members of the form's tenant have the general limit only. */
export const submitLimit = (cache: FormCache): RateLimit => ({
  name: 'forms.submit',
  points: 10,
  window: MINUTE,
  by(_, ip, { id = '' }, caller) {
    const form = cache.peek(id)
    if (form && caller?.tenantId === form.tenantId) return undefined
    // A form of the recipe is found by its key and its id, which share one limit.
    return `${addressKey(ip)} ${form?.id ?? id}`
  },
})
