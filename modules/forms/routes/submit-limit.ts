import { addressKey, MINUTE, type RateLimit } from 'larder/kernel'
import type { Definitions } from '../services/form-cache.ts'

/** Ten a minute from one address to one form. People of the form's own tenant have the limit of every route alone. */
export const submitLimit = (definitions: Definitions): RateLimit => ({
  name: 'forms.submit',
  points: 10,
  window: MINUTE,
  by(_, ip, { id = '' }, caller) {
    const form = definitions.peek(id)
    if (form && caller?.tenantId === form.tenantId) return undefined
    // A form of the recipe has a key beside its id: both count as one.
    return `${addressKey(ip)} ${form?.id ?? id}`
  },
})
