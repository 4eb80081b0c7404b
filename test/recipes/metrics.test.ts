import { readFileSync } from 'node:fs'
import test from 'ava'
import { parse } from 'yaml'
import { startTestKernel, type TestKernel } from '../../testing/index.ts'
import { dialSocket } from '../fixtures/socket.ts'
import { selectorsIn } from './prometheus.ts'

let kernel: TestKernel
test.before(async () => {
  // Without a worker, so that everything waits.
  kernel = await startTestKernel({
    role: 'web',
    recipe: { modules: { identity: {}, comms: {}, webhooks: {}, messaging: {}, automations: {} } },
  })
})
test.after.always(() => kernel?.stop())

const scrape = async () => (await kernel.get<string>('/metrics')).body
const seriesValue = async (series: string) =>
  Number(
    (await scrape())
      .split('\n')
      .find(line => line.startsWith(`${series} `))
      ?.slice(series.length),
  )

test.serial('docs/operations.md describes each metric, and no other', async t => {
  const served = [...(await scrape()).matchAll(/^# HELP (larder_\w+)/gm)].map(([, name]) => name).sort()
  const docs = readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8')
  const described = [...docs.matchAll(/^\| `(larder_\w+)` \| .+ \| .+ \|$/gm)].map(([, name]) => name).sort()
  t.deepEqual(served, described)
})

test.serial('only counters end in _total, as promtool checks', async t => {
  const types = [...(await scrape()).matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name, type]) => ({ name, type }))
  t.true(types.length > 30)
  t.deepEqual(
    types.filter(({ name = '', type }) => name.endsWith('_total') !== (type === 'counter')),
    [],
  )
})

test.serial('counts connections to the database', async t => {
  const { systemDatabase } = kernel.kernel.ports
  const used = 'larder_database_connections{state="used"}'
  const before = await seriesValue(used)
  await systemDatabase.acrossTenants('a test holds a connection').transaction(async unit => {
    await unit.query('select 1')
    t.true((await seriesValue(used)) > before)
  })
  t.true((await seriesValue('larder_database_connections{state="idle"}')) >= 0)
  t.is(await seriesValue('larder_database_connections{state="waiting"}'), 0)
})

test.serial('counts open sockets', async t => {
  const person = await kernel.register('ada@example.test')
  const socket = await dialSocket(`${kernel.url}/v1/realtime`, {
    headers: { authorization: `Bearer ${person.token}` },
  })
  t.is(await seriesValue('larder_sockets'), 1)
  socket.cut()
})

test.serial('counts pending events, jobs, waiting mail and webhook endpoints', async t => {
  const ben = await kernel.register('ben@example.test')
  const mail = await ben.post('/v1/communications/templates/comms.test/test', { to: 'ben@example.test' })
  t.is(mail.status, 202, JSON.stringify(mail.body))
  const url = 'https://hooks.example.com/larder'
  await ben.post('/v1/webhooks/endpoints', { url, events: ['*'] })
  t.true((await seriesValue('larder_events_pending')) > 0)
  t.is(await seriesValue('larder_jobs{name="comms.deliver",state="waiting"}'), 1)
  t.is(await seriesValue('larder_mails_waiting'), 1)
  t.is(await seriesValue('larder_webhook_endpoints{status="active"}'), 1)
})

const file = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')
interface Rule {
  readonly record?: string
  readonly alert?: string
  readonly expr: string
  readonly labels?: { readonly severity: string }
  readonly annotations?: { readonly runbook: string; readonly summary: string }
}
const rules = (parse(file('deploy/prometheus/rules.yml')) as { groups: { rules: Rule[] }[] }).groups.flatMap(
  group => group.rules,
)
const alerts = rules.flatMap(({ alert, labels, annotations }) => (alert ? [{ alert, labels, annotations }] : []))
const dashboard = JSON.parse(file('deploy/grafana/larder.json'))
const panels: { title: string; targets?: { expr: string }[] }[] = dashboard.panels

/** Where an expression stands, and the expression. */
const expressions: [place: string, expression: string][] = [
  ...rules.map(({ record, alert, expr }): [string, string] => [record ?? alert ?? '', expr]),
  ...panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }): [string, string] => [title, expr])),
  ...dashboard.templating.list
    .filter(({ type }: { type: string }) => type === 'query')
    .map(({ name, definition }: { name: string; definition: string }) => [name, definition]),
  ...[...file('docs/slo.md').matchAll(/(?:^ {4}.+\n)+/gm)].map(([text]): [string, string] => ['docs/slo.md', text]),
]

/** What Prometheus adds to a scrape. */
const ADDED = ['up']
const PARTS = ['_bucket', '_sum', '_count']

test.serial('rules, dashboard and objectives use only metrics that a product exports', async t => {
  const exported = [...(await scrape()).matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name = '', type]) =>
    type === 'histogram' ? PARTS.map(part => name + part) : [name],
  )
  const known = new Set([...exported, ...ADDED, ...rules.map(({ record }) => record)])
  t.true(expressions.length > 80)
  t.deepEqual(
    expressions.flatMap(([place, expression]) =>
      selectorsIn(expression)
        .filter(({ metric }) => !known.has(metric))
        .map(({ metric }) => `${place}: ${metric}`),
    ),
    [],
  )
})

test('their selectors have only labels and values that docs/operations.md describes', t => {
  const rows = [...file('docs/operations.md').matchAll(/^\| `(larder_\w+)` \| (.+?) \| /gm)]
  const described = new Map(rows.map(([, name = '', labels = '']) => [name, describedLabels(labels)]))
  const wrong = expressions.flatMap(([place, expression]) =>
    selectorsIn(expression).flatMap(({ metric, labels }) => {
      const known = described.get(metric.replace(/_(bucket|sum|count)$/, '')) ?? described.get(metric)
      return labels
        .filter(({ label, operator, value }) => {
          if (['job', 'instance', 'le'].includes(label) || !metric.startsWith('larder_')) return false
          const values = known?.get(label)
          return values === undefined || (operator === '=' && values.length > 0 && !values.includes(value))
        })
        .map(({ label, value }) => `${place}: ${metric}{${label}="${value}"}`)
    }),
  )
  t.deepEqual(wrong, [])
})

/** `state`: `used`, `idle` → the values of each label; none if the docs don't list them. */
function describedLabels(cell: string): Map<string, string[]> {
  const namesIn = (text: string) => [...text.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)
  return new Map(
    cell.split(';').flatMap(part => {
      const [labels = '', values] = part.split(':')
      return namesIn(labels).map((label): [string, string[]] => [label, namesIn(values ?? '')])
    }),
  )
}

test('finds metrics and labels in PromQL', t => {
  const metrics = (expression: string) => selectorsIn(expression).map(({ metric }) => metric)
  t.deepEqual(metrics('sum by (job, le) (rate(a_total{x=~"b|c"}[5m])) / on (job) group_left(version) d:e or 0 * f'), [
    'a_total',
    'd:e',
    'f',
  ])
  t.deepEqual(metrics('time() - max(a) > bool 36 * 3600 and label_values(b, job)'), ['a', 'b'])
  t.deepEqual(selectorsIn('a{state="dead", name!~"{x}"}'), [
    {
      metric: 'a',
      labels: [
        { label: 'state', operator: '=', value: 'dead' },
        { label: 'name', operator: '!~', value: '{x}' },
      ],
    },
  ])
  t.deepEqual(
    describedLabels('`name`; `state`: `on`, `off`'),
    new Map([
      ['name', []],
      ['state', ['on', 'off']],
    ]),
  )
})

test('each alert has a severity and a section in docs/alerts.md, which has no other', t => {
  for (const { alert, labels, annotations } of alerts) {
    t.regex(labels?.severity ?? '', /^(critical|warning)$/, alert)
    t.is(annotations?.runbook, `docs/alerts.md#${alert.toLowerCase()}`)
    t.regex(annotations?.summary ?? '', /\.$/, alert)
  }
  const sections = [...file('docs/alerts.md').matchAll(/^### (\w+)\n\n`(\w+)`/gm)]
  t.deepEqual(
    sections.map(([, title, severity]) => `${title} ${severity}`),
    alerts.map(({ alert, labels }) => `${alert} ${labels?.severity}`),
  )
})

test('each alert has a test in which it fires and one in which it stays silent', t => {
  interface RuleTest {
    readonly alert_rule_test?: { alertname: string; exp_alerts: unknown[] }[]
  }
  const { tests } = parse(file('deploy/prometheus/rules.test.yml')) as { tests: RuleTest[] }
  const expected = tests.flatMap(each => each.alert_rule_test ?? [])
  for (const { alert } of alerts) {
    const counts = expected.filter(({ alertname }) => alertname === alert).map(each => each.exp_alerts.length)
    t.true(counts.includes(0) && counts.some(count => count > 0), alert)
  }
})

test('docs/slo.md names only alerts that exist', t => {
  const named = [...file('docs/slo.md').matchAll(/alerts\.md#(\w+)/g)].map(([, name]) => name)
  const known = alerts.map(({ alert }) => alert.toLowerCase())
  t.true(named.length > 4)
  t.deepEqual(
    named.filter(name => !known.includes(name ?? '')),
    [],
  )
})

test('the dashboard chooses its data source and its job by variables', t => {
  t.deepEqual(
    dashboard.templating.list.map(({ name, type }: { name: string; type: string }) => [name, type]),
    [
      ['datasource', 'datasource'],
      ['job', 'query'],
    ],
  )
  const sources = JSON.stringify(dashboard).match(/"uid":"[^"]+"/g) ?? []
  const variable = `$${'{datasource}'}`
  t.deepEqual([...new Set(sources)].toSorted(), [`"uid":"${variable}"`, '"uid":"larder"'])
  for (const { title, targets = [] } of panels)
    for (const { expr } of targets) t.true(expr.includes('job=~"$job"'), `${title}: ${expr}`)
})

test.serial('names the version, the product and the role of the process', async t => {
  t.regex(
    await scrape(),
    /^larder_build_info\{version="\d+\.\d+\.\d+[^"]*",recipe="test",role="web",node="[\d.]+"\} 1$/m,
  )
})
