import { defineSettings, SECOND } from '@larder-dev/larder/kernel'

export const settings = defineSettings({
  variables: [
    { name: 'PORT', about: 'port to listen on; 0 selects a free one', default: '8080', process: 'web' },
    { name: 'HOST', about: 'address to listen on; 0.0.0.0 in a container', default: '127.0.0.1' },
    { name: 'TRUST_PROXY', about: 'number of trusted proxies that append to X-Forwarded-For', default: '0' },
    { name: 'RATE_LIMITS', about: 'on, or off for load tests', default: 'on', process: 'web' },
    { name: 'METRICS_PORT', about: 'port for /metrics and health checks, also of a worker; 0 selects a free one' },
    {
      name: 'METRICS_TOKEN',
      about: 'bearer token for /metrics; required there in production and behind a proxy',
      secret: true,
    },
    {
      name: 'SHUTDOWN_DELAY_SECONDS',
      about: 'how long a process that stops still accepts connections, while readiness fails',
      default: '5 in production, else 0',
    },
  ],
  read(env) {
    const port = env.integer('PORT', 8080, 65535)
    const metricsPort = env.text('METRICS_PORT') === undefined ? undefined : env.integer('METRICS_PORT', 0, 65535)
    if (metricsPort === port && port !== 0)
      env.fail(`METRICS_PORT must be another port than PORT, which is ${port}: METRICS_PORT=9464`)
    return {
      port,
      metricsPort,
      host: env.text('HOST') ?? '127.0.0.1',
      trustProxy: env.integer('TRUST_PROXY', 0, 16),
      rateLimits: env.oneOf('RATE_LIMITS', ['on', 'off'], 'on') === 'on',
      metricsToken: env.text('METRICS_TOKEN'),
      shutdownDelayMs:
        env.integer('SHUTDOWN_DELAY_SECONDS', env.text('NODE_ENV') === 'production' ? 5 : 0, 300) * SECOND,
    }
  },
})
