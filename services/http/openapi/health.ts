/** OpenAPI responses of the health endpoints, which aren't routes. */

const objectOf = (properties: Record<string, unknown>) => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
})
const checks = {
  type: 'object',
  description: 'Result of each readiness check',
  additionalProperties: { type: 'string', enum: ['ok', 'failed'] },
}
export const HEALTH_SCHEMAS = {
  Liveness: objectOf({ status: { type: 'string', enum: ['ok'] } }),
  Readiness: objectOf({ status: { type: 'string', enum: ['ready', 'not_ready'] }, checks }),
}

const reply = (description: string, name: keyof typeof HEALTH_SCHEMAS) => ({
  description,
  content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } },
})
const live = { 200: reply('The process is running', 'Liveness') }

/** Path → responses. */
export const HEALTH_RESPONSES: ReadonlyMap<string, Record<string, unknown>> = new Map<string, Record<string, unknown>>([
  ['/healthz', live],
  ['/v1/health', live],
  [
    '/v1/health/readiness',
    {
      200: reply('Ready to serve requests', 'Readiness'),
      503: reply('Not ready: starting, stopping, or a dependency is unavailable', 'Readiness'),
    },
  ],
])
