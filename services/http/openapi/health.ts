/** What the kernel's own addresses answer, for OpenAPI: they are no routes and have no schemas of their own. */

const text = { type: 'string' } as const
const answer = (description: string, properties: Record<string, unknown>) => ({
  description,
  content: { 'application/json': { schema: { type: 'object', required: Object.keys(properties), properties } } },
})
const checks = {
  type: 'object',
  description: 'What readiness depends on: ok or failed',
  additionalProperties: { ...text, enum: ['ok', 'failed'] },
}
const live = { 200: answer('The process runs', { status: { const: 'ok' } }) }

/** Path → its responses. */
export const HEALTH_RESPONSES: ReadonlyMap<string, Record<string, unknown>> = new Map<string, Record<string, unknown>>([
  ['/healthz', live],
  ['/v1/health', live],
  [
    '/v1/health/readiness',
    {
      200: answer('Ready for requests', { status: { const: 'ready' }, checks }),
      503: answer('Not ready: it starts, stops, or something that it needs is away', {
        status: { const: 'not_ready' },
        checks,
      }),
    },
  ],
])
