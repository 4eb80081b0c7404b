/** The recipe sections of the HTTP service. */
import { DURATION_PATTERN, Type } from 'larder/kernel'

const RateLimitShape = Type.Object({
  points: Type.Integer({ minimum: 1, description: 'Requests that are let through', examples: [300] }),
  window: Type.String({ pattern: DURATION_PATTERN, description: 'In which time', examples: ['1m'] }),
})
const RateLimitsShape = Type.Record(Type.String({ pattern: '^[a-z][a-z0-9_.-]*$' }), RateLimitShape, {
  default: {},
  description: 'Limits in the place of those of the routes, by their name; api is what each caller may ask in all',
  examples: [{ api: { points: 300, window: '1m' } }],
})

export const sections = {
  docs: Type.Boolean({ default: true, description: 'Whether /docs and the OpenAPI document are open to anybody' }),
  rateLimits: RateLimitsShape,
}
