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

/** Path → summary. */
export const HEALTH_SUMMARIES: ReadonlyMap<string, string> = new Map([
  ['/healthz', 'Says that the process is running. The same as `/v1/health`.'],
  ['/v1/health', 'Says that the process is running.'],
  ['/v1/health/readiness', 'Says whether the process can serve requests.'],
])

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
