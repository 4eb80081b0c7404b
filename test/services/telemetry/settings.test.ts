import test from 'ava'
import { readSettings, settingVariables } from '../../../bin/composition.ts'

const endpointOf = (env: Readonly<Record<string, string>>) => readSettings(env).tracesEndpoint

test('traces are off without an endpoint', t => {
  t.is(endpointOf({}), undefined)
})

test('the path of traces follows the endpoint of all signals', t => {
  t.is(endpointOf({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c.test:4318' }), 'http://c.test:4318/v1/traces')
  t.is(endpointOf({ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://c.test/otlp/' }), 'https://c.test/otlp/v1/traces')
})

test('an endpoint for traces is the whole URL', t => {
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c.test', OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://d.test/x' }
  t.is(endpointOf(env), 'http://d.test/x')
})

test('OTEL_SDK_DISABLED turns traces off', t => {
  t.is(endpointOf({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c.test', OTEL_SDK_DISABLED: 'true' }), undefined)
})

for (const [env, problem] of [
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'c.test:4317' }, 'OTEL_EXPORTER_OTLP_ENDPOINT must be a URL'],
  [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, 'OTEL_EXPORTER_OTLP_PROTOCOL must be http/protobuf'],
  [{ OTEL_EXPORTER_OTLP_HEADERS: 'Bearer x' }, 'OTEL_EXPORTER_OTLP_HEADERS must be of the form name=value'],
  [{ OTEL_TRACES_SAMPLER: 'often' }, 'OTEL_TRACES_SAMPLER must be one of always_on'],
  [{ OTEL_TRACES_SAMPLER: 'traceidratio' }, 'needs OTEL_TRACES_SAMPLER_ARG'],
  [{ OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '1%' }, 'a number from 0 to 1'],
  [{ OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '2' }, 'a number from 0 to 1'],
] as const)
  test(`refuses ${Object.entries(env).join(' ').replace(',', '=')}`, t => {
    const { message = '' } = t.throws(() => readSettings(env)) ?? {}
    t.true(message.includes(problem), message)
  })

test('headers of the collector are a secret', t => {
  t.true(settingVariables.find(({ name }) => name === 'OTEL_EXPORTER_OTLP_HEADERS')?.secret)
})
