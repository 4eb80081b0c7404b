import test from 'ava'
import { Secret, TOTP } from 'otpauth'
import { createSecrets } from '../../../../../kernel/base/secrets.ts'
import { DAY, MINUTE, SECOND } from '../../../../../kernel/base/units.ts'
import {
  type Client,
  type Person,
  startTestKernel,
  TEST_PASSWORD,
  type TestKernel,
} from '../../../../../testing/index.ts'
import { shareKernel } from '../../../../fixtures/shared-kernel.ts'
import {
  codeOf,
  colleague,
  createTestClock,
  newEmail,
  operator,
  type Page,
  requestReset,
  startIdentity,
  sweep,
} from '../../fixtures.ts'
import { verify } from '../../pages/mail-tokens.ts'

/** Moved by hand, so that a test knows the period of a code. */
const clock = createTestClock({ runs: false })
const PERIOD = 30 * SECOND
let kernel: TestKernel
test.before(async () => {
  kernel = await startIdentity({ signIn: { secondFactor: { totp: true }, trustedDevices: '30d' } }, { clock })
})
test.after.always(() => kernel?.stop())
let plain: TestKernel
shareKernel(test, startIdentity, own => {
  plain = own
})

interface Enrollment {
  readonly enrollment: string
  readonly secret: string
  readonly uri: string
  readonly qrCode: string
}
interface Codes {
  readonly recoveryCodes: readonly string[]
}
interface Pending {
  readonly code: string
  readonly pending: string
  readonly methods: readonly string[]
  readonly enroll: boolean
  readonly expiresIn: number
}
const OWN = '/v1/auth/me/second-factor'
const VERIFY = '/v1/auth/second-factor'

/** The code that an app shows, by default now. */
const codeAt = (secret: string, at = clock.now()): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at })
/** A code that the app shows in no period nearby. */
const wrongCode = (secret: string): string => {
  const near = [-2, -1, 0, 1, 2].map(n => codeAt(secret, clock.now() + n * PERIOD))
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find(code => !near.includes(code)) ?? ''
}

interface Enrolled extends Person {
  readonly secret: string
  readonly recoveryCodes: readonly string[]
}
async function enroll(client: Client): Promise<{ secret: string; recoveryCodes: readonly string[] }> {
  const { body } = await client.post<Enrollment>(`${OWN}/enrollment`)
  const code = codeAt(body.secret)
  const enabled = await client.put<Codes>(OWN, { enrollment: body.enrollment, code })
  if (enabled.status !== 200) throw new Error(`the setup was answered ${codeOf(enabled)}`)
  // The code is used.
  clock.forward(PERIOD)
  return { secret: body.secret, recoveryCodes: enabled.body.recoveryCodes }
}
async function enrolled(own: TestKernel = kernel): Promise<Enrolled> {
  const person = await own.register(newEmail('ada'))
  return { ...person, ...(await enroll(person)) }
}
const signIn = ({ email, password }: Pick<Person, 'email' | 'password'>, own: TestKernel = kernel) =>
  own.post<Pending>('/v1/auth/login', { email, password })
const pendingOf = async (person: Person): Promise<string> => (await signIn(person)).body.pending
/** Stores the key of the person's app as a process with this LARDER_SECRET does. */
const encryptWith = (larderSecret: string, { secret, userId }: Enrolled, own: TestKernel = kernel) =>
  own.kernel.ports.systemDatabase
    .acrossTenants('a test replaces a secret')
    .query('update identity_totp set secret = $1 where user_id = $2', [
      createSecrets([larderSecret]).encrypt('totp_secret', secret),
      userId,
    ])
const finish = (pending: string, code: string) => kernel.post<{ token: string }>(VERIFY, { pending, code })

test.serial('a setup shows the key as a QR code, and nothing changes before its first code', async t => {
  const person = await kernel.register(newEmail('new'))
  const { status, body } = await person.post<Enrollment>(`${OWN}/enrollment`)
  t.is(status, 200)
  t.regex(body.uri, /^otpauth:\/\/totp\/Test:.*secret=/)
  t.regex(body.qrCode, /^<svg [\s\S]*<\/svg>$/)
  t.is(
    codeOf(await person.put(OWN, { enrollment: body.enrollment, code: wrongCode(body.secret) })),
    '403 invalid_second_factor',
  )
  t.is((await signIn(person)).status, 200)
  t.like((await person.get(OWN)).body, { totp: null, recoveryCodes: 0, required: false })
})

test.serial('a setup belongs to its person and ends after 15 minutes', async t => {
  const [ada, eve] = [await kernel.register(newEmail('ada')), await kernel.register(newEmail('eve'))]
  const { body } = await ada.post<Enrollment>(`${OWN}/enrollment`)
  const proof = () => ({ enrollment: body.enrollment, code: codeAt(body.secret) })
  t.is(codeOf(await eve.put(OWN, proof())), '410 invalid_enrollment')
  t.is(
    codeOf(await ada.put(OWN, { ...proof(), enrollment: [...body.enrollment].reverse().join('') })),
    '410 invalid_enrollment',
  )
  clock.forward(15 * MINUTE)
  const again = await signIn(ada)
  const client = kernel.as((again.body as unknown as { token: string }).token)
  t.is(codeOf(await client.put(OWN, proof())), '410 invalid_enrollment')
})

test.serial('after the password, a sign-in is pending, has no right, and ends with a code', async t => {
  const ada = await enrolled()
  t.is(ada.recoveryCodes.length, 10)
  const first = await signIn(ada)
  t.is(codeOf(first), '403 second_factor_required')
  t.like(first.body, { methods: ['totp', 'recovery_code'], enroll: false, expiresIn: 600 })
  t.is(first.headers.get('set-cookie'), null)
  const { pending } = first.body
  t.is((await kernel.as(pending).get('/v1/auth/me')).status, 401)
  t.is((await kernel.get('/v1/auth/me', { headers: { cookie: `platform_session=${pending}` } })).status, 401)
  const finished = await finish(pending, codeAt(ada.secret))
  t.is(finished.status, 200)
  t.is((await kernel.as(finished.body.token).get('/v1/auth/me')).status, 200)
  t.is(codeOf(await finish(pending, ada.recoveryCodes[0] ?? '')), '401 sign_in_expired')
})

test.serial('a pending sign-in ends after 10 minutes, and with a new password', async t => {
  const ada = await enrolled()
  const expired = await pendingOf(ada)
  clock.forward(10 * MINUTE)
  t.is(codeOf(await finish(expired, codeAt(ada.secret))), '401 sign_in_expired')
  const pending = await pendingOf(ada)
  await ada.post('/v1/auth/password/change', { currentPassword: TEST_PASSWORD, newPassword: `${TEST_PASSWORD} 2` })
  t.is(codeOf(await finish(pending, codeAt(ada.secret))), '401 invalid_credentials')
})

test.serial('a code works once, also when two requests send it at the same time', async t => {
  const ada = await enrolled()
  const code = codeAt(ada.secret)
  const pending = [await pendingOf(ada), await pendingOf(ada)]
  const answers = await Promise.all(pending.map(each => finish(each, code)))
  t.deepEqual(answers.map(codeOf).sort(), ['200', '403 invalid_second_factor'])
  t.is(codeOf(await finish(await pendingOf(ada), code)), '403 invalid_second_factor')
})

test.serial('the clock of a device may be off by one period, not by two', async t => {
  const ada = await enrolled()
  const codes = (periods: number) => codeAt(ada.secret, clock.now() + periods * PERIOD)
  for (const periods of [-2, 2])
    t.is(codeOf(await finish(await pendingOf(ada), codes(periods))), '403 invalid_second_factor', String(periods))
  clock.forward(10 * PERIOD)
  t.is((await finish(await pendingOf(ada), codes(-1))).status, 200)
  t.is((await finish(await pendingOf(ada), codes(1))).status, 200)
  // The code of the period in between is older than the last one.
  t.is(codeOf(await finish(await pendingOf(ada), codes(0))), '403 invalid_second_factor')
})

test.serial('wrong codes delay the next try at the account, whichever sign-in they belong to', async t => {
  const ada = await enrolled()
  for (let n = 0; n < 5; n++)
    t.is(codeOf(await finish(await pendingOf(ada), wrongCode(ada.secret))), '403 invalid_second_factor')
  const blocked = await finish(await pendingOf(ada), codeAt(ada.secret))
  t.is(codeOf(blocked), '429 too_many_codes')
  clock.forward(MINUTE)
  t.is(codeOf(await finish(await pendingOf(ada), wrongCode(ada.secret))), '403 invalid_second_factor')
  clock.forward(MINUTE)
  t.is(codeOf(await finish(await pendingOf(ada), codeAt(ada.secret))), '429 too_many_codes')
  t.is((await finish(await pendingOf(ada), ada.recoveryCodes[0] ?? '')).status, 200)
  clock.forward(MINUTE)
  t.is((await finish(await pendingOf(ada), codeAt(ada.secret))).status, 200)
  t.is(codeOf(await finish(await pendingOf(ada), wrongCode(ada.secret))), '403 invalid_second_factor')
})

test.serial('concurrent wrong codes are counted before they are compared', async t => {
  const ada = await enrolled()
  const pending = await pendingOf(ada)
  const answers = await Promise.all(Array.from({ length: 12 }, () => finish(pending, wrongCode(ada.secret))))
  const codes = answers.map(codeOf)
  t.is(codes.filter(code => code === '403 invalid_second_factor').length, 5)
  t.is(codes.filter(code => code === '429 too_many_codes').length, 7)
})

test.serial('a recovery code works once, in any notation, and is mailed and recorded', async t => {
  const ada = await enrolled()
  const [code = ''] = ada.recoveryCodes
  const typed = code.toLowerCase().replaceAll('-', ' ')
  t.is((await finish(await pendingOf(ada), typed)).status, 200)
  t.is(codeOf(await finish(await pendingOf(ada), code)), '403 invalid_second_factor')
  t.like((await ada.get(OWN)).body, { recoveryCodes: 9 })
  await kernel.settled()
  const inbox = await kernel.get<Page<{ subject: string }>>(
    `/v1/communications/mailbox?filter[to]=${encodeURIComponent(ada.email)}`,
  )
  t.is(inbox.body.data.filter(({ subject }) => subject.startsWith('The second factor')).length, 2)
})

test.serial('new recovery codes end the earlier ones', async t => {
  const ada = await enrolled()
  const { body } = await ada.post<Codes>('/v1/auth/me/recovery-codes')
  t.is(new Set([...body.recoveryCodes, ...ada.recoveryCodes]).size, 20)
  t.is(codeOf(await finish(await pendingOf(ada), ada.recoveryCodes[0] ?? '')), '403 invalid_second_factor')
  t.is((await finish(await pendingOf(ada), body.recoveryCodes[0] ?? '')).status, 200)
})

test.serial('without the app, the first factor is enough again', async t => {
  const ada = await enrolled()
  t.is((await ada.delete(OWN)).status, 204)
  t.is((await signIn(ada)).status, 200)
  t.is(codeOf(await ada.delete(OWN)), '404 not_found')
  t.is(codeOf(await ada.post('/v1/auth/me/recovery-codes')), '404 not_found')
})

test.serial('the database contains neither the key of an app nor recovery codes', async t => {
  const ada = await enrolled()
  const { rows } = await kernel.kernel.ports.systemDatabase
    .acrossTenants('a test reads what is stored')
    .query<{ stored: string }>(
      `select encode(secret, 'escape') || (select string_agg(encode(code_hash, 'hex'), ' ')
         from identity_recovery_codes r where r.user_id = t.user_id) as stored from identity_totp t where user_id = $1`,
      [ada.userId],
    )
  const stored = rows[0]?.stored ?? ada.secret
  for (const secret of [ada.secret, ...ada.recoveryCodes]) t.false(stored.includes(secret))
})

test.serial('while LARDER_SECRET rotates, a job encrypts the keys of apps with the new secret', async t => {
  const recipe = {
    modules: { identity: { signIn: { secondFactor: { totp: true } } }, comms: { transport: 'mailbox' } },
  }
  const [older, newer] = ['an older secret of at least thirty-two bytes', 'a newer secret of at least thirty-two bytes']
  const rotating = await startTestKernel({ recipe, clock, env: { LARDER_SECRET: `${newer},${older}` } })
  t.teardown(() => rotating.stop())
  const ada = await enrolled(rotating)
  await encryptWith(older, ada, rotating)
  await rotating.kernel.ports.jobs.enqueue('larder.reencrypt', {})
  await rotating.settled()
  const env = { LARDER_SECRET: newer }
  const after = await startTestKernel({ recipe, clock, env, database: rotating.databaseUrl })
  t.teardown(() => after.stop())
  const { pending } = (await signIn(ada, after)).body
  t.is((await after.post(VERIFY, { pending, code: codeAt(ada.secret) })).status, 200)
})

test.serial(
  'codes of an app whose key a lost LARDER_SECRET encrypted are refused, and recovery codes work',
  async t => {
    const ada = await enrolled()
    await encryptWith('a secret that is no longer configured here', ada)
    const { pending } = (await signIn(ada)).body
    t.is(codeOf(await finish(pending, codeAt(ada.secret))), '503 second_factor_unreadable')
    t.is((await finish(pending, ada.recoveryCodes[0] ?? '')).status, 200)
  },
)

test.serial('an API key has no second factor, and a signed-out caller changes nothing', async t => {
  const ada = await enrolled()
  t.is((await kernel.as(ada.apiKey).post(`${OWN}/enrollment`)).status, 403)
  t.is((await kernel.delete(OWN)).status, 401)
  t.is((await kernel.as(ada.apiKey).get('/v1/identity/members')).status, 200)
})

test.serial('roles that require a second factor set it up at their next sign-in', async t => {
  const own = await startIdentity(
    { signIn: { secondFactor: { totp: true, requiredFor: ['tenant.owner'] } } },
    { clock },
  )
  t.teardown(() => own.stop())
  const owner = await own.register(newEmail('owner'))
  const first = await signIn(owner, own)
  t.like(first.body, { code: 'second_factor_required', methods: [], enroll: true })
  const { pending } = first.body
  const late = (await signIn(owner, own)).body.pending
  const started = await own.post<Enrollment>(`${VERIFY}/enrollment`, { pending })
  const lateSetup = await own.post<Enrollment>(`${VERIFY}/enrollment`, { pending: late })
  const proof = { enrollment: started.body.enrollment, code: codeAt(started.body.secret) }
  const done = await own.post<Codes & { token: string }>(`${VERIFY}/enroll`, { pending, ...proof })
  t.is(done.status, 200)
  t.is(done.body.recoveryCodes.length, 10)
  t.is((await own.as(done.body.token).get('/v1/auth/me')).status, 200)
  // Somebody who knows the password can't replace the app.
  const other = { enrollment: lateSetup.body.enrollment, code: codeAt(lateSetup.body.secret) }
  t.is(codeOf(await own.post(`${VERIFY}/enroll`, { pending: late, ...other })), '410 invalid_enrollment')
  t.is(codeOf(await own.post(`${VERIFY}/enrollment`, { pending: late })), '410 invalid_enrollment')
  t.is(codeOf(await own.as(done.body.token).delete(OWN)), '409 second_factor_mandatory')
})

test.serial('an owner removes the app of a member of their own workspaces only', async t => {
  const own = await startIdentity(
    { registration: { workspace: 'none' }, impersonation: true, signIn: { secondFactor: { totp: true } } },
    { clock },
  )
  t.teardown(() => own.stop())
  const admin = await operator(own)
  const owner = await own.register(newEmail('owner'))
  const made = await owner.post<{ id: string }>('/v1/identity/tenants', { name: 'Acme' })
  const acme = { ...owner, ...owner.with({ 'x-tenant-id': made.body.id }), tenantId: made.body.id }
  const member = await colleague(own, acme, ['tenant.member'])
  await enroll(member.person)
  const path = `/v1/identity/members/${member.memberId}/second-factor`
  t.is(codeOf(await member.delete(path)), '403 forbidden')
  const elsewhere = await member.person.post<{ id: string }>('/v1/identity/tenants', { name: 'Elsewhere' })
  t.is(codeOf(await acme.delete(path)), '409 member_elsewhere')
  await member.person.with({ 'x-tenant-id': elsewhere.body.id }).delete(`/v1/identity/tenants/${elsewhere.body.id}`)
  const support = admin.with({ 'x-tenant-id': admin.operatorId })
  const acting = await support.post<{ token: string }>(`/v1/identity/admin/users/${owner.userId}/impersonation`, {
    tenantId: acme.tenantId,
    reason: 'Ticket 4711: an import fails',
  })
  t.is(codeOf(await own.as(acting.body.token).delete(path)), '403 not_owner')
  t.is((await acme.delete(path)).status, 204)
  t.is((await signIn(member.person, own)).status, 200)
  const log = await acme.get<Page<{ action: string }>>('/v1/identity/audit')
  t.true(log.body.data.some(({ action }) => action === 'second_factor.removed'))
  await enroll(member.person)
  const byOperator = `/v1/identity/admin/users/${member.person.userId}/second-factor`
  t.is(codeOf(await acme.delete(byOperator)), '403 forbidden')
  t.is((await support.delete(byOperator)).status, 204)
  t.is(codeOf(await support.delete(byOperator)), '404 not_found')
})

test.serial('a recipe that requires a second factor of an unknown role is refused', async t => {
  const error = await t.throwsAsync(
    startIdentity({ signIn: { secondFactor: { totp: true, requiredFor: ['tenant.ownr'] } } }),
  )
  t.regex(String(error?.message), /Unknown role "tenant\.ownr"/)
})

test.serial('a recipe that trusts devices without a second factor, or for too long, is refused', async t => {
  const alone = await t.throwsAsync(startIdentity({ signIn: { trustedDevices: '30d' } }))
  t.regex(String(alone?.message), /There is no second factor to leave out/)
  const long = await t.throwsAsync(startIdentity({ signIn: { secondFactor: { totp: true }, trustedDevices: '91d' } }))
  t.regex(String(long?.message), /from an hour to 90 days/)
})

test.serial('without the setting there is no second factor', async t => {
  const person = await plain.register(newEmail('plain'))
  t.is((await person.get(OWN)).status, 404)
})

test.serial('the owner of an address ends the app that somebody else set up before the address was proved', async t => {
  const email = newEmail('claimed')
  const impostor = await kernel.register(email)
  await enroll(impostor)
  const token = await requestReset(kernel, email)
  const password = 'another correct horse battery staple'
  t.is((await kernel.post('/v1/auth/password/reset', { token, password })).status, 200)
  t.is((await signIn({ email, password })).status, 200)
})

test.serial('a new password of a proved address keeps the second factor', async t => {
  const ada = await kernel.register(newEmail('proved'))
  await verify(kernel, ada)
  const signedIn = await kernel.post<{ token: string }>('/v1/auth/login', { email: ada.email, password: ada.password })
  await enroll(kernel.as(signedIn.body.token))
  for (const [password, revokeAccess] of [
    ['another correct horse battery staple', false],
    ['a third correct horse battery staple', true],
  ] as const) {
    const token = await requestReset(kernel, ada.email)
    const reset = await kernel.post('/v1/auth/password/reset', { token, password, revokeAccess })
    t.is(reset.status, revokeAccess ? 200 : 204)
    t.is(codeOf(await signIn({ email: ada.email, password })), '403 second_factor_required')
  }
})

/** Signs in with a code in a browser that is trusted from then on. Returns its cookie. */
async function trust(ada: Enrolled): Promise<string> {
  const proof = { pending: await pendingOf(ada), code: codeAt(ada.secret), trustDevice: true }
  const { status, headers } = await kernel.post(VERIFY, proof)
  if (status !== 200) throw new Error(`the code was answered ${status}`)
  clock.forward(PERIOD)
  const cookie = headers.getSetCookie().find(header => header.startsWith('platform_trusted='))
  return cookie?.split(';')[0] ?? ''
}
const signInWith = ({ email, password }: Pick<Person, 'email' | 'password'>, cookie: string) =>
  kernel.post<{ token: string }>('/v1/auth/login', { email, password }, { headers: { cookie } })

test.serial('a trusted browser needs no code for its time', async t => {
  const ada = await enrolled()
  const cookie = await trust(ada)
  t.is((await signInWith(ada, cookie)).status, 200)
  t.is(codeOf(await signIn(ada)), '403 second_factor_required')
  clock.forward(30 * DAY)
  t.is(codeOf(await signInWith(ada, cookie)), '403 second_factor_required')
})

test.serial('the cookie of a trusted browser is of one person, and no credential', async t => {
  const [ada, eve] = [await enrolled(), await enrolled()]
  const cookie = await trust(ada)
  t.is(codeOf(await signInWith(eve, cookie)), '403 second_factor_required')
  t.is(
    codeOf(await signInWith({ ...ada, password: 'a wrong password of somebody' }, cookie)),
    '401 invalid_credentials',
  )
  t.is((await kernel.get('/v1/auth/me', { headers: { cookie } })).status, 401)
})

test.serial('a browser is trusted only if the person asks for it', async t => {
  const ada = await enrolled()
  const { headers } = await kernel.post(VERIFY, { pending: await pendingOf(ada), code: codeAt(ada.secret) })
  t.false(headers.getSetCookie().some(header => header.startsWith('platform_trusted=')))
  clock.forward(PERIOD)
})

test.serial('a sign-in in a trusted browser is no recent proof', async t => {
  const ada = await enrolled()
  const cookie = await trust(ada)
  clock.forward(11 * MINUTE)
  const { body } = await signInWith(ada, cookie)
  t.is(codeOf(await kernel.as(body.token).post('/v1/auth/me/recovery-codes')), '403 reauthentication_required')
})

test.serial('trusted devices are listed, exported, and forgotten by the person', async t => {
  const ada = await enrolled()
  const cookie = await trust(ada)
  const { body } = await signInWith(ada, cookie)
  const client = kernel.as(body.token)
  const own = await client.get<{ trustedDevices: readonly { expiresAt: string }[] }>(OWN)
  t.is(own.body.trustedDevices.length, 1)
  const exported = await client.get<{ trustedDevices: readonly object[] }>('/v1/auth/me/export')
  t.deepEqual(exported.body.trustedDevices, own.body.trustedDevices)
  t.is((await client.delete(`${OWN}/trusted-devices`)).status, 204)
  t.deepEqual((await client.get<{ trustedDevices: readonly object[] }>(OWN)).body.trustedDevices, [])
  t.is(codeOf(await signInWith(ada, cookie)), '403 second_factor_required')
})

test.serial('ending other logins forgets trusted devices', async t => {
  const ada = await enrolled()
  const cookie = await trust(ada)
  const { body } = await signInWith(ada, cookie)
  await kernel.as(body.token).delete('/v1/auth/sessions')
  t.is(codeOf(await signInWith(ada, cookie)), '403 second_factor_required')
})

test.serial('a removed app ends the trust that depended on it', async t => {
  const ada = await enrolled()
  const cookie = await trust(ada)
  const { body } = await kernel.post<{ token: string }>(VERIFY, {
    pending: await pendingOf(ada),
    code: codeAt(ada.secret),
  })
  const client = kernel.as(body.token)
  t.is((await client.delete(OWN)).status, 204)
  clock.forward(PERIOD)
  await enroll(client)
  t.is(codeOf(await signInWith(ada, cookie)), '403 second_factor_required')
})

test.serial('another app ends the trust that depended on the former one', async t => {
  const ada = await enrolled()
  const cookie = await trust(ada)
  await enroll(ada)
  t.is(codeOf(await signInWith(ada, cookie)), '403 second_factor_required')
})

test.serial('expired pending sign-ins are deleted', async t => {
  const ada = await enrolled()
  await pendingOf(ada)
  clock.forward(10 * MINUTE)
  await sweep(kernel)
  const { rowCount } = await kernel.kernel.ports.systemDatabase
    .acrossTenants('a test counts what is stored')
    .query('select from identity_pending_logins where user_id = $1', [ada.userId])
  t.is(rowCount, 0)
})
