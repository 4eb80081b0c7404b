/** Metrics, rules and configuration by the tools of Prometheus. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import test from 'ava'
import { packageRoot } from '../../kernel/base/package-root.ts'
import { startTestKernel } from '../../testing/index.ts'

const modules = {
  identity: {},
  comms: {},
  billing: {},
  content: {},
  features: {},
  forms: {},
  media: {},
  messaging: {},
  platform: {},
  sessions: {},
  streams: {},
  webhooks: {},
  collections: {},
}

/** What promtool says about metrics; empty if it finds nothing. */
const findingsOf = (metrics: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const promtool = execFile('promtool', ['check', 'metrics'], (error, stdout, stderr) => {
      if (error && error.code === 'ENOENT') reject(error)
      else resolve(`${stdout}${stderr}`.trim())
    })
    promtool.stdin?.end(metrics)
  })

for (const role of ['all', 'web'] as const)
  test(`promtool finds nothing wrong with the metrics of a process of the role ${role}`, async t => {
    const kernel = await startTestKernel({ recipe: { modules }, role })
    try {
      const ada = await kernel.register('ada@example.test')
      await ada.get('/v1/me')
      await ada.get('/v1/nothing')
      const metrics = (await kernel.get<string>('/metrics')).body
      t.regex(metrics, /^# TYPE larder_/m)
      t.is(await findingsOf(metrics), '')
    } finally {
      await kernel.stop()
    }
  })

const prometheus = fileURLToPath(new URL('deploy/prometheus/', packageRoot))
const promtool = (...args: string[]) => promisify(execFile)('promtool', args, { cwd: prometheus })

test('each alert fires when it should, and its recording rules have the right values', async t => {
  const { stdout } = await promtool('test', 'rules', 'rules.test.yml')
  t.regex(stdout, /SUCCESS/)
})

test('promtool accepts the rules and the scrape configuration', async t => {
  t.regex(
    (await promtool('check', 'rules', '--lint=all', '--lint-fatal', 'rules.yml')).stdout,
    /SUCCESS: \d+ rules found/,
  )
  t.regex((await promtool('check', 'config', '--syntax-only', 'prometheus.yml')).stdout, /SUCCESS/)
})
