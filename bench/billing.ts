/** The cost of an entitlement check in a transaction, and 32 concurrent consumers of one balance. */
import { fileURLToPath } from 'node:url'
import type { BenchEnvironment } from './fixtures.ts'
import { child, percentile, type Row } from './measure.ts'

const ROUNDS = 2000
const CONSUMERS = 32
const REQUESTS = 100
const GRANTED = 10_000
const RECIPE = fileURLToPath(new URL('./billing.yaml', import.meta.url))
const PASSWORD = 'correct horse battery staple'

interface Durations {
  readonly without: number[]
  readonly gauge: number[]
  readonly unlimited: number[]
}

export async function billing(environment: BenchEnvironment): Promise<Row[]> {
  const web = await child<{ url: string }>(
    './larder-server.js',
    ['web', `${environment.folder}/billing.log`, RECIPE],
    environment.env,
  )
  try {
    const { url } = web.ready
    const account = { email: `billing-${Date.now()}@example.test`, password: PASSWORD }
    const { token } = await post<{ token: string }>(`${url}/v1/auth/register`, account)
    const headers = { authorization: `Bearer ${token}` }
    await post(`${url}/v1/billing/checkout`, { planKey: 'bench' }, headers)
    await post(`${url}/v1/metered/measure`, { rounds: 200 }, headers)
    const durations = await post<Durations>(`${url}/v1/metered/measure`, { rounds: ROUNDS }, headers)
    return [checks(durations), await consumeConcurrently(url, headers)]
  } finally {
    await web.stop()
  }
}

function checks({ without, gauge, unlimited }: Durations): Row {
  const [bare, counted, free] = [without, gauge, unlimited].map(times => percentile(times, 0.5)) as [
    number,
    number,
    number,
  ]
  const ms = (time: number) => `${time.toFixed(2)} ms`
  return {
    what: 'entitlement check in the transaction that uses it, p50',
    measured: `**${ms(counted - bare)}** with lock and count; ${ms(free - bare)} if unlimited`,
    against: `the same transaction without it: ${ms(bare)}; with it: ${ms(counted)}`,
    aim: '≤ 0.2 ms',
  }
}

/** Every response must be 201, and the final balance must be exact. */
async function consumeConcurrently(url: string, headers: Record<string, string>): Promise<Row> {
  const began = performance.now()
  const consume = async (consumer: number) => {
    for (let n = 0; n < REQUESTS; n++) {
      const order = { key: 'bench.credits', amount: 1 + (n % 3), reason: 'bench' }
      await post(`${url}/v1/billing/credits/consume`, order, { ...headers, 'idempotency-key': `${consumer}-${n}` })
    }
  }
  await Promise.all(Array.from({ length: CONSUMERS }, (_, consumer) => consume(consumer)))
  const seconds = (performance.now() - began) / 1000
  const consumed =
    CONSUMERS * Array.from({ length: REQUESTS }, (_, n) => 1 + (n % 3)).reduce((sum, amount) => sum + amount, 0)
  const answer = await fetch(`${url}/v1/billing/credits`, { headers })
  const { data } = (await answer.json()) as { data: { balance: number }[] }
  const left = data[0]?.balance
  if (left !== GRANTED - consumed) throw new Error(`${left} credits are left instead of ${GRANTED - consumed}`)
  return {
    what: `${CONSUMERS} concurrent consumers of one credit balance over HTTP, each request with its own idempotency key`,
    measured: `**sum exact** (${CONSUMERS * REQUESTS} requests, ${left} left), ${Math.round((CONSUMERS * REQUESTS) / seconds)}/s`,
    against: '–',
    aim: 'sum exact',
  }
}

async function post<Body = unknown>(url: string, body: object, headers: Record<string, string> = {}): Promise<Body> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${url} returned ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as Body
}
