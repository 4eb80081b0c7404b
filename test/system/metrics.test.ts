/** The metrics by the linter of Prometheus. */
import { execFile } from 'node:child_process'
import test from 'ava'
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
