/** The recipe sections of the HTTP service. */
import { POSITIVE_DURATION_PATTERN, Type } from '@larder-dev/larder/kernel'

const RateLimitShape = Type.Object({
  points: Type.Integer({ minimum: 1, description: 'Number of requests allowed in a window', examples: [300] }),
  window: Type.String({ pattern: POSITIVE_DURATION_PATTERN, description: 'Length of the window', examples: ['1m'] }),
})
const RateLimitsShape = Type.Record(Type.String({ pattern: '^[a-z][a-z0-9_.-]*$' }), RateLimitShape, {
  default: {},
  description: 'Overrides of rate limits, by name; `api` limits all requests of a caller',
  examples: [{ api: { points: 300, window: '1m' } }],
})

export const sections = {
  docs: Type.Boolean({ default: true, description: 'Whether /docs and the OpenAPI document are public' }),
  rateLimits: RateLimitsShape,
}
