/** OpenAPI responses of the health endpoints, which aren't routes and have no schemas. */

const text = { type: 'string' } as const
const answer = (description: string, properties: Record<string, unknown>) => ({
  description,
  content: { 'application/json': { schema: { type: 'object', required: Object.keys(properties), properties } } },
})
const checks = {
  type: 'object',
  description: 'Result of each readiness check',
  additionalProperties: { ...text, enum: ['ok', 'failed'] },
}
const live = { 200: answer('The process is running', { status: { const: 'ok' } }) }

/** Path → responses. */
export const HEALTH_RESPONSES: ReadonlyMap<string, Record<string, unknown>> = new Map<string, Record<string, unknown>>([
  ['/healthz', live],
  ['/v1/health', live],
  [
    '/v1/health/readiness',
    {
      200: answer('Ready to serve requests', { status: { const: 'ready' }, checks }),
      503: answer('Not ready: starting, stopping, or a dependency is unavailable', {
        status: { const: 'not_ready' },
        checks,
      }),
    },
  ],
])
