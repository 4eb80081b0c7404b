import { defineSettings, parseUrl } from '@larder-dev/larder/kernel/internal'

const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const
const TRACES_PATH = 'v1/traces'
const HEADER = /^[^=,\s]+=[^,]*$/

/**
 * Standard variables of OpenTelemetry, and one of Larder. Its packages read them, and others, from the environment of the process; these are
 * checked here, so that a mistake is an error of the start.
 */
export const settings = defineSettings({
  variables: [
    { name: 'OTEL_EXPORTER_OTLP_ENDPOINT', about: 'OpenTelemetry collector (OTLP over HTTP) that receives traces' },
    { name: 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', about: 'the same, as the whole URL for traces' },
    { name: 'OTEL_EXPORTER_OTLP_HEADERS', about: 'headers for the collector, name=value,name=value', secret: true },
    { name: 'OTEL_SERVICE_NAME', about: 'name in traces', default: 'larder-web, larder-worker or larder' },
    { name: 'OTEL_RESOURCE_ATTRIBUTES', about: 'further attributes of this process, name=value,name=value' },
    { name: 'OTEL_TRACES_SAMPLER', about: SAMPLERS.join(', '), default: 'parentbased_always_on' },
    { name: 'OTEL_TRACES_SAMPLER_ARG', about: 'share of traces from 0 to 1 for the samplers with traceidratio' },
    {
      name: 'TRUST_TRACEPARENT',
      about: 'on: a request continues the trace that its caller names, who then decides what is recorded',
      default: 'off',
      process: 'web',
    },
    { name: 'OTEL_SDK_DISABLED', about: 'true turns traces off', default: 'false' },
  ],
  read(env) {
    const base = env.url('OTEL_EXPORTER_OTLP_ENDPOINT', ['http', 'https'])
    const whole = env.url('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', ['http', 'https'])
    const sampler = env.oneOf('OTEL_TRACES_SAMPLER', SAMPLERS, 'parentbased_always_on')
    const share = env.text('OTEL_TRACES_SAMPLER_ARG')
    const isOff = env.oneOf('OTEL_SDK_DISABLED', ['true', 'false'], 'false') === 'true'
    if (sampler.endsWith('traceidratio') && (share === undefined || !isShare(share)))
      env.fail(`OTEL_TRACES_SAMPLER=${sampler} needs OTEL_TRACES_SAMPLER_ARG, a number from 0 to 1 such as 0.01`)
    const protocol = env.text('OTEL_EXPORTER_OTLP_TRACES_PROTOCOL') ?? env.text('OTEL_EXPORTER_OTLP_PROTOCOL')
    if (protocol !== undefined && protocol !== 'http/protobuf')
      env.fail(`OTEL_EXPORTER_OTLP_PROTOCOL must be http/protobuf, usually at port 4318, not '${protocol}'`)
    const headers = env.text('OTEL_EXPORTER_OTLP_HEADERS')
    if (headers?.split(',').some(header => !HEADER.test(header.trim())))
      env.fail('OTEL_EXPORTER_OTLP_HEADERS must be of the form name=value,name=value')
    return {
      tracesEndpoint: isOff ? undefined : (whole ?? (base && tracesUrl(base))),
      trustTraceparent: env.oneOf('TRUST_TRACEPARENT', ['on', 'off'], 'off') === 'on',
    }
  },
})

/** Undefined for what isn't a URL, which is reported already. */
function tracesUrl(base: string): string | undefined {
  const url = parseUrl(base)
  if (!url) return undefined
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${TRACES_PATH}`
  return url.href
}

const isShare = (text: string): boolean => text.trim() !== '' && Number(text) >= 0 && Number(text) <= 1
