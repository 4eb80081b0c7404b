/**
 * No response time shows whether an address has an account. Sign-up says `email_taken`, so it isn't measured, and the
 * options of a passkey don't depend on an address.
 */
import anyTest, { type ExecutionContext, type TestFn } from 'ava'
import { Secret, TOTP } from 'otpauth'
import { type Client, type Person, startTestKernel, type TestKernel } from '../../testing/index.ts'
import { codeOf, newEmail } from '../modules/identity/fixtures.ts'
import { distinguishability, type Timed } from './timing.ts'

const TRIES = 2000
const WARM_UP = 50
const MAX_AREA = 0.55
/** Both kinds have as many addresses, so that the rows of neither are in a cache alone. */
const ADDRESSES = 20
/** Wrong codes of a request. More are refused without a comparison. */
const CODE_ATTEMPTS = 5

interface Context {
  /** Processes requests only. Registration is closed. */
  readonly kernel: TestKernel
  readonly people: readonly Person[]
  readonly known: readonly string[]
  readonly unknown: readonly string[]
}
const test = anyTest as TestFn<Context>
const started: TestKernel[] = []
let context: Context

async function start(open: boolean, role: 'web' | 'all'): Promise<TestKernel> {
  const signIn = { password: {}, emailLink: {}, passkeys: {}, secondFactor: { totp: true }, challenge: { after: 100 } }
  const recipe = { modules: { identity: { registration: { open }, signIn }, comms: { transport: 'mailbox' } } }
  const kernel = await startTestKernel({ recipe, role, database: started[0]?.databaseUrl })
  started.push(kernel)
  return kernel
}

test.before(async () => {
  const open = await start(true, 'web')
  const people: Person[] = []
  for (let n = 0; n < ADDRESSES; n++) people.push(await open.register(newEmail('known')))
  const known = people.map(({ email }) => email)
  // As long, so that requests have the same size.
  const unknown = known.map(email => email.replace('known', 'other'))
  context = { kernel: await start(false, 'web'), people, known, unknown }
})
test.beforeEach(t => {
  t.context = context
})
test.after.always(async () => {
  for (const kernel of started.reverse()) await kernel.stop()
})

const pick = <Value>(values: readonly Value[], n: number): Value => values[n % values.length] as Value

/** Fails if responses about known and unknown addresses can be told apart by their time. */
async function assertEqual(t: ExecutionContext<Context>, toKnown: Timed, toUnknown: Timed): Promise<void> {
  await distinguishability(WARM_UP, toKnown, toUnknown)
  const area = await distinguishability(TRIES, toKnown, toUnknown)
  t.log(`AUC ${area.toFixed(3)} for ${TRIES} tries each`)
  t.true(area <= MAX_AREA)
}

const assertEqualFor = (t: ExecutionContext<Context>, send: (email: string) => Promise<unknown>): Promise<void> =>
  assertEqual(
    t,
    n => send(pick(t.context.known, n)),
    n => send(pick(t.context.unknown, n)),
  )

const requestCode = async (client: Client, email: string): Promise<string> =>
  (await client.post('/v1/auth/email-code', { email })).body.request

test.serial('a wrong email code takes equally long for known and unknown addresses', async t => {
  const { kernel, known, unknown } = t.context
  const requests: { known: string[]; unknown: string[] } = { known: [], unknown: [] }
  for (let n = 0; n < TRIES / CODE_ATTEMPTS; n++) {
    requests.known.push(await requestCode(kernel, pick(known, n)))
    requests.unknown.push(await requestCode(kernel, pick(unknown, n)))
  }
  // Prepares the codes.
  const worker = await start(false, 'all')
  await worker.settled()
  // With the extra tries of the first measurement, some requests are used up, of both kinds.
  const guess = (request: string) => kernel.post('/v1/auth/email-code/verify', { request, code: '000000' })
  await assertEqual(
    t,
    n => guess(pick(requests.known, n)),
    n => guess(pick(requests.unknown, n)),
  )
  await started.pop()?.stop()
})

test.serial('the request of an email code takes equally long for known and unknown addresses', async t => {
  await assertEqualFor(t, email => requestCode(t.context.kernel, email))
})

test.serial('the request of a password reset takes equally long for known and unknown addresses', async t => {
  await assertEqualFor(t, email => t.context.kernel.post('/v1/auth/password/forgot', { email }))
})

const signIn = (kernel: TestKernel, email: string) => kernel.post('/v1/auth/login', { email, password: 'wrong' })

test.serial('a wrong password takes equally long for known and unknown addresses', async t => {
  await assertEqualFor(t, email => signIn(t.context.kernel, email))
})

test.serial('a wrong password takes equally long for accounts with a second factor', async t => {
  for (const person of t.context.people) {
    const { body } = await person.post('/v1/auth/me/second-factor/enrollment')
    const code = new TOTP({ secret: Secret.fromBase32(body.secret) }).generate()
    const enabled = await person.put('/v1/auth/me/second-factor', { enrollment: body.enrollment, code })
    t.is(codeOf(enabled), '200')
  }
  await assertEqualFor(t, email => signIn(t.context.kernel, email))
})
