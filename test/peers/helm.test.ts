/** The chart of `deploy/helm` with Helm itself, and what it renders with the types of Kubernetes. No cluster runs. */
import { execFile, spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import test from 'ava'
import { parseAllDocuments } from 'yaml'
import { readSettings } from '../../bin/composition.ts'
import { packageRoot } from '../../kernel/base/package-root.ts'
import { goProgram, ownGoProgram, PROGRAMS } from './programs.ts'

const run = promisify(execFile)
const CHART = fileURLToPath(new URL('deploy/helm/larder', packageRoot))
const EXAMPLES = fileURLToPath(new URL('deploy/helm/examples', packageRoot))
const names = readdirSync(EXAMPLES)
const example = (name: string) => `${EXAMPLES}/${name}.yaml`
const KUBERNETES = ['--kube-version', '1.34.0']

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string }
}
interface Container {
  readonly args: readonly string[]
  readonly env: readonly { readonly name: string; readonly value?: string }[]
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[]
  readonly startupProbe: Probe
  readonly livenessProbe: Probe
  readonly readinessProbe: Probe
}
interface Manifest {
  readonly kind: string
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> }
  readonly data: Readonly<Record<string, string>>
  readonly spec: {
    readonly replicas?: number
    readonly strategy: { readonly type: string }
    readonly rules: readonly { readonly host: string }[]
    readonly template: {
      readonly metadata: { readonly annotations: Readonly<Record<string, string>> }
      readonly spec: { readonly containers: readonly [Container]; readonly terminationGracePeriodSeconds: number }
    }
  }
}

let helm: string
let manifests: string
test.before(async t => {
  t.timeout(900_000)
  helm = await goProgram(PROGRAMS.helm)
  manifests = await ownGoProgram({
    name: 'manifests',
    file: new URL('test/peers/manifests/main.go', packageRoot),
    modules: ['k8s.io/api@v0.34.1', 'k8s.io/apimachinery@v0.34.1', 'k8s.io/pod-security-admission@v0.34.1'],
  })
})

const template = async (file: string, ...options: string[]): Promise<string> =>
  (await run(helm, ['template', 'shop', CHART, '--values', file, ...KUBERNETES, ...options])).stdout
const render = async (file: string, ...options: string[]): Promise<Manifest[]> =>
  parseAllDocuments(await template(file, ...options)).map(document => document.toJS())
const set = (...values: string[]) => values.flatMap(value => ['--set', value])
const refusal = (...values: string[]): Promise<string> =>
  template(example('minimal'), ...set(...values)).then(
    () => 'accepted',
    (error: { stderr: string }) => error.stderr,
  )

const find = (all: readonly Manifest[], kind: string, name = 'shop-larder'): Manifest => {
  const found = all.find(each => each.kind === kind && each.metadata.name === name)
  if (!found) throw new Error(`no ${kind} ${name}; there are ${all.map(each => `${each.kind} ${each.metadata.name}`)}`)
  return found
}
const containerOf = (manifest: Manifest): Container => manifest.spec.template.spec.containers[0]

test('there are six examples', t => {
  t.is(names.length, 6)
})

for (const name of names) {
  const file = `${EXAMPLES}/${name}`
  test(`helm lint finds nothing in ${name}`, async t => {
    const { stdout } = await run(helm, ['lint', CHART, '--strict', '--values', file])
    t.notRegex(stdout, /WARNING|ERROR/)
  })

  test(`Kubernetes' types and its security standard "restricted" accept ${name}`, async t => {
    const program = spawn(manifests)
    program.stdin.end(await template(file))
    const [found, refused] = await Promise.all([text(program.stdout), text(program.stderr)])
    t.is(refused, '')
    t.regex(found, /^Deployment shop-larder-web$/m)
  })

  test(`Larder accepts the variables of ${name}`, async t => {
    const { data } = find(await render(file), 'ConfigMap')
    const secrets = { LARDER_SECRET: 's'.repeat(32), DATABASE_URL: 'postgres://db/shop', REDIS_URL: 'redis://redis' }
    const settings = readSettings({ ...data, ...secrets })
    t.is(settings.publicUrl, data.PUBLIC_URL)
  })

  test(`probes of ${name} ask ports that the pods have`, async t => {
    const deployments = (await render(file)).filter(({ kind }) => kind === 'Deployment').map(containerOf)
    for (const { args, ports = [], startupProbe, livenessProbe, readinessProbe } of deployments) {
      const expected = args[0] === 'worker' ? 'metrics' : 'http'
      t.true(ports.some(port => port.name === expected))
      t.deepEqual(
        [startupProbe, livenessProbe, readinessProbe].map(({ httpGet }) => `${httpGet.port} ${httpGet.path}`),
        [`${expected} /v1/health`, `${expected} /v1/health`, `${expected} /v1/health/readiness`],
      )
    }
  })
}

for (const [what, values, message] of [
  ['no Secret', ['existingSecret='], /LARDER_SECRET is missing.*--set existingSecret=NAME/],
  [
    'a Secret without the database',
    ['existingSecret=', 'secretKeys.LARDER_SECRET.name=a', 'secretKeys.LARDER_SECRET.key=b'],
    /DATABASE_URL is missing/,
  ],
  ['no image', ['image.tag='], /image\.repository and image\.tag are required/],
  ['no address', ['settings.PUBLIC_URL='], /settings\.PUBLIC_URL is required/],
  ['no place of files', ['storage.kind='], /storage\.kind is required/],
  [
    'two pods on a ReadWriteOnce disk',
    ['storage.kind=volume', 'web.replicas=1', 'worker.replicas=1'],
    /2 pods can't share a volume with storage\.volume\.accessMode ReadWriteOnce.*ReadWriteMany/,
  ],
  [
    'pods that multiply on a ReadWriteOnce disk',
    ['storage.kind=volume', 'web.replicas=1', 'worker.replicas=0', 'web.autoscaling.enabled=true'],
    /6 pods can't share a volume/,
  ],
  ['messages in memory with several pods', ['settings.BUS=memory'], /BUS=memory is for a single pod/],
  [
    'a Job that applies nothing',
    ['settings.LARDER_APPLY=never'],
    /LARDER_APPLY=never is what pods have, and would keep the Job from migrating/,
  ],
  ['fewer pods at most than at least', ['web.autoscaling.enabled=true', 'web.autoscaling.minReplicas=9'], /at least/],
  ['an unknown setting', ['settings.DATABASE_POOL=3'], /'DATABASE_POOL' not allowed/],
  ['a secret among the settings', ['settings.METRICS_TOKEN=x'], /'METRICS_TOKEN' not allowed/],
  ['a setting among the variables', ['variables.BUS=redis'], /invalid propertyName 'BUS'/],
  ['an unknown choice', ['settings.BUS=kafka'], /BUS': value must be one of 'postgres', 'memory', 'redis'/],
  ['a number that is too large', ['settings.TRUST_PROXY=17'], /TRUST_PROXY': maximum: got 17, want 16/],
  ['a text for a number', ['settings.DATABASE_WAIT_SECONDS=soon'], /DATABASE_WAIT_SECONDS': got string, want integer/],
  ['another scheme', ['settings.PUBLIC_URL=ftp://a.example'], /PUBLIC_URL'.*does not match pattern/],
  ['an unknown value', ['web.replica=3'], /additional properties 'replica' not allowed/],
  ['a wrong value', ['web.replicas=0'], /replicas': minimum: got 0, want 1/],
] as const)
  test(`refuses ${what}`, async t => {
    t.regex((await refusal(...values)).replaceAll('\n', ' '), message)
  })

const variablesOf = ({ env }: Container): Record<string, string> =>
  Object.fromEntries(env.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])))

test('the Job that migrates has the variables of the pods, which apply nothing themselves', async t => {
  const all = await render(example('production'))
  const job = containerOf(find(all, 'Job', 'shop-larder-migrate'))
  t.deepEqual({ ...variablesOf(job), LARDER_APPLY: 'never' }, find(all, 'ConfigMap').data)
  t.deepEqual(job.args, ['migrate'])
})

test('LARDER_APPLY is what the Job applies, or what pods apply without it', async t => {
  const applied = async (...values: string[]) => {
    const all = await render(example('production'), ...set(...values))
    const job = all.find(({ kind }) => kind === 'Job')
    return [job && variablesOf(containerOf(job)).LARDER_APPLY, find(all, 'ConfigMap').data.LARDER_APPLY]
  }
  t.deepEqual(await applied(), [undefined, 'never'])
  t.deepEqual(await applied('settings.LARDER_APPLY=all'), ['all', 'never'])
  t.deepEqual(await applied('migrate.enabled=false'), [undefined, undefined])
  for (const value of ['all', 'never'])
    t.deepEqual(await applied('migrate.enabled=false', `settings.LARDER_APPLY=${value}`), [undefined, value])
})

test('a PodMonitor sends the token of the Secret to the port of metrics of web and worker pods', async t => {
  const monitorOf = async (...values: string[]) =>
    (await render(example('production'), ...set(...values))).find(({ kind }) => kind === 'PodMonitor')
  t.is(await monitorOf(), undefined)
  const monitor = await monitorOf('podMonitor.enabled=true', 'podMonitor.labels.release=prometheus')
  t.like(monitor?.metadata, { labels: { release: 'prometheus' } })
  t.like(monitor?.spec, {
    podMetricsEndpoints: [
      { port: 'metrics', interval: '30s', authorization: { credentials: { name: 'shop', key: 'METRICS_TOKEN' } } },
    ],
  })
})

test('large numbers are written in full', async t => {
  const { data } = find(await render(example('production'), ...set('variables.SHARE=0.5')), 'ConfigMap')
  t.is(data.REALTIME_SUBSCRIPTIONS_PER_WORKSPACE, '1000000')
  t.is(data.SHARE, '0.5')
})

test('pods are replaced when a setting changes', async t => {
  const sums = await Promise.all(
    [[], set('settings.DATABASE_TENANT_SCANS=2')].map(async options => {
      const web = find(await render(example('minimal'), ...options), 'Deployment', 'shop-larder-web')
      return web.spec.template.metadata.annotations['checksum/variables']
    }),
  )
  t.not(sums[0], sums[1])
})

test('pods have the time to stop that SHUTDOWN_DELAY_SECONDS needs', async t => {
  const web = find(await render(example('production')), 'Deployment', 'shop-larder-web')
  t.is(web.spec.template.spec.terminationGracePeriodSeconds, 30)
})

test('an autoscaler decides the number of pods alone', async t => {
  const all = await render(example('production'))
  t.is(find(all, 'Deployment', 'shop-larder-web').spec.replicas, undefined)
  t.is(find(all, 'Deployment', 'shop-larder-worker').spec.replicas, 2)
})

test('a single pod on a disk does all work, and ends before its successor starts', async t => {
  const all = await render(example('single'))
  const web = find(all, 'Deployment', 'shop-larder-web')
  t.deepEqual(containerOf(web).args, ['start'])
  t.is(web.spec.strategy.type, 'Recreate')
  t.false(all.some(({ metadata }) => metadata.name === 'shop-larder-worker'))
  t.is(find(all, 'PersistentVolumeClaim').metadata.annotations?.['helm.sh/resource-policy'], 'keep')
})

test('an Ingress has the host of PUBLIC_URL, and its pods trust one proxy', async t => {
  const all = await render(example('minimal'))
  t.deepEqual(
    find(all, 'Ingress').spec.rules.map(({ host }) => host),
    ['app.example.com'],
  )
  t.is(find(all, 'ConfigMap').data.TRUST_PROXY, '1')
  t.is(find(await render(example('shared-volume')), 'ConfigMap').data.TRUST_PROXY, undefined)
})
