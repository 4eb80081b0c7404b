/** Guessing and rushing at the sign-in; a soak asks more often and looks at the time. */
import { setTimeout as pause } from 'node:timers/promises'
import { type Client, startTestKernel, TEST_PASSWORD, type TestKernel } from '../../testing/index.ts'
import { newEmail, outcome } from '../modules/identity/fixtures.ts'
import { atOnce, createRandom } from './fixtures.ts'

/** Milliseconds. */
const PROBE_EVERY = 20
const RECIPE = { modules: { identity: {}, comms: {} } }

/** Kernels on one database, with limits on, that believe one proxy. */
export async function startGuarded(count: number): Promise<{ kernels: TestKernel[]; stop(): Promise<void> }> {
  const env = { RATE_LIMITS: 'on', TRUST_PROXY: '1' }
  const kernels: TestKernel[] = []
  for (let n = 0; n < count; n++)
    kernels.push(await startTestKernel({ recipe: RECIPE, role: 'web', env, database: kernels[0]?.databaseUrl }))
  return {
    kernels,
    async stop() {
      for (const kernel of kernels.reverse()) await kernel.stop()
    },
  }
}

export interface Guessing {
  /** Answers by status and code. */
  readonly outcomes: Readonly<Record<string, number>>
}

export interface Guess {
  readonly email: string
  readonly address: string
}

/** Sends wrong passwords to the kernels in turn, from the address that each guess names. */
export async function guess(kernels: readonly TestKernel[], guesses: readonly Guess[]): Promise<Guessing> {
  const outcomes: Record<string, number> = {}
  await atOnce(guesses.length, 8, async n => {
    const { email, address } = guesses[n] as Guess
    const kernel = kernels[n % kernels.length] as TestKernel
    const client: Client = kernel.with({ 'x-forwarded-for': address })
    const said = outcome(await client.post('/v1/auth/login', { email, password: `wrong ${n}` }))
    outcomes[said] = (outcomes[said] ?? 0) + 1
  })
  return { outcomes }
}

export interface Rush {
  readonly outcomes: Readonly<Record<string, number>>
  /** Of health, asked all the while. */
  readonly health: Readonly<Record<string, number>>
  /** Milliseconds of each answer of health. */
  readonly healthMs: readonly number[]
  readonly loginMs: readonly number[]
}

/** So many people sign in at the same moment, each to an account of their own. */
export async function rush(kernel: TestKernel, logins: number): Promise<Rush> {
  const emails: string[] = []
  await atOnce(Math.min(logins, 20), 8, async () => void emails.push((await kernel.register(newEmail('rush'))).email))
  const outcomes: Record<string, number> = {}
  const health: Record<string, number> = {}
  const healthMs: number[] = []
  const loginMs: number[] = []
  const timed = async (into: number[], counts: Record<string, number>, ask: () => Promise<string>) => {
    const started = performance.now()
    const said = await ask()
    into.push(performance.now() - started)
    counts[said] = (counts[said] ?? 0) + 1
  }
  let running = true
  const probe = async () => {
    for (; running; await pause(PROBE_EVERY))
      await timed(healthMs, health, async () => outcome(await kernel.get('/v1/health')))
  }
  const probes = Promise.all([probe(), probe()])
  const login = (n: number) => ({ email: emails[n % emails.length], password: TEST_PASSWORD })
  await Promise.all(
    Array.from({ length: logins }, (_, n) =>
      timed(loginMs, outcomes, async () => outcome(await kernel.post('/v1/auth/login', login(n)))),
    ),
  )
  running = false
  await probes
  return { outcomes, health, healthMs, loginMs }
}

/** Milliseconds of wrong passwords for known and for unknown addresses, in turn. */
export async function knownAndUnknown(
  kernel: TestKernel,
  each: number,
): Promise<{ known: number[]; unknown: number[] }> {
  const { email } = await kernel.register(newEmail('known'))
  const times: { known: number[]; unknown: number[] } = { known: [], unknown: [] }
  const random = createRandom(each)
  for (let n = 0; n < 2 * each; n++) {
    const kind = n % 2 === 0 ? 'known' : 'unknown'
    const who = kind === 'known' ? email : `${random.below(1e9)}.${email}`
    const started = performance.now()
    await kernel.post('/v1/auth/login', { email: who, password: 'wrong' })
    times[kind].push(performance.now() - started)
  }
  return times
}
