/** What the log says about runs with values of the environment. */
import test from 'ava'
import { pino } from 'pino'
import { startTestKernel, type TestKernel } from '../../../testing/index.ts'
import { freePort } from '../../fixtures/free-port.ts'
import { waitFor } from '../../fixtures/wait.ts'
import { type Receiver, startReceiver } from '../webhooks/receiver.ts'
import { deskRecipe } from './fixtures.ts'

const SECRET = 'sécret-of-the-desk-4711'
const SHOWN = [SECRET, encodeURIComponent(SECRET), Buffer.from(SECRET).toString('base64'), 'cret-of-the-desk']

const lines: string[] = []
let kernel: TestKernel
let accepting: Receiver
let echoing: Receiver
test.before(async () => {
  accepting = await startReceiver()
  echoing = await startReceiver(({ path, headers, body }, response) => {
    response.writeHead(400).end(`${path} ${headers['x-token']} ${body}`)
  })
  const closed = `http://127.0.0.1:${await freePort()}`
  const secret = `\${DESK_TOKEN}`
  const request = (origin: string) => ({
    'webhooks.request': {
      url: `${origin}/rows?key=\${DESK_TOKEN}`,
      headers: { 'x-token': `Bearer \${DESK_ASCII}` },
      json: { text: secret },
    },
    retry: { times: 1, within: '10ms' },
    onError: 'continue',
  })
  const recipe = deskRecipe({
    quoting: {
      on: 'collections.tickets.created',
      steps: [
        request(accepting.url),
        request(echoing.url),
        request(closed),
        { 'desk.note': { text: secret } },
        { 'desk.echo': { text: secret, fails: true }, retry: { times: 0, within: '1s' }, onError: 'continue' },
        { 'collections.create': { collection: 'labels', values: { name: secret } } },
        { ask: { role: 'tenant.owner', text: `Is it ${secret}?`, choices: ['yes'], timeout: '100ms' } },
        // The name is taken.
        { 'collections.create': { collection: 'labels', values: { name: secret } } },
      ],
    },
  })
  kernel = await startTestKernel({
    recipe: { ...recipe, modules: { ...recipe.modules, webhooks: { allowHosts: '127.0.0.1' } } },
    env: { DESK_TOKEN: SECRET, DESK_ASCII: 'cret-of-the-desk' },
    log: pino({ level: 'trace' }, { write: line => void lines.push(line) }),
  })
})
test.after.always(async () => {
  await kernel?.stop()
  await accepting?.close()
  await echoing?.close()
})

test('the log has no value of the environment, whether steps succeed or fail', async t => {
  const ada = await kernel.register('ada@example.test')
  await ada.post('/v1/data/tickets', { title: 'Printer' })
  const runs = () => kernel.automations.runs({ automation: 'quoting', tenantId: ada.tenantId })
  await waitFor(async () => (await runs())[0]?.state === 'failed')
  const [run] = await runs()
  t.deepEqual(
    run?.steps.map(({ state }) => state),
    ['done', 'failed', 'failed', 'done', 'failed', 'done', 'done', 'failed'],
  )
  t.true(lines.length > 0)
  t.deepEqual(
    lines.filter(line => SHOWN.some(text => line.includes(text))),
    [],
  )
  t.false(SHOWN.some(text => JSON.stringify(run).includes(text)))
})
