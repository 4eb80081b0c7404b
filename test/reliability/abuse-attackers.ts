/**
 * The attackers of `abuse.ts`, as a child process, so that their work doesn't delay the measurements of the parent. The
 * first message starts the `AttackPlan`; after the second one, the process stops and sends its `AttackReport`.
 */
import { setPriority } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { markdownTables } from './markdown-tables.ts'

export interface AttackPlan {
  readonly url: string
  /** Owners of one workspace each. */
  readonly attackers: readonly { readonly token: string; readonly ip: string }[]
  /** Base64 of a progressive JPEG. */
  readonly image: string
  /** Runs only this attack. */
  readonly only?: string
}
export interface AttackReport {
  /** `name status` → responses; status 0 is a connection that the server closed. */
  readonly statuses: Readonly<Record<string, number>>
}
interface Attack {
  readonly name: string
  /** Requests in flight. */
  readonly concurrent: number
  /** Between two requests, so that the attack isn't one of mere volume. Milliseconds. */
  readonly pauseMs: number
  run(n: number): Promise<Response>
}

const VICTIM = 'victim@example.test'
const LOWEST_PRIORITY = 19

function attacksOf({ url, attackers, image }: AttackPlan): Attack[] {
  const send = (
    method: string,
    path: string,
    body: unknown,
    { token, ip }: { token?: string | undefined; ip: string },
  ) =>
    fetch(url + path, {
      method,
      headers: {
        'x-forwarded-for': ip,
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body instanceof FormData ? {} : { 'content-type': 'application/json' }),
      },
      body: body instanceof FormData || typeof body === 'string' ? body : JSON.stringify(body),
    })
  const attacker = (n: number) => attackers[n % attackers.length] as AttackPlan['attackers'][number]
  const stranger = (n: number) => `stranger-${n}@example.test`
  const anonymous = (n: number) => ({ ip: `203.0.113.${n % 250}` })
  const fields = JSON.stringify(Object.fromEntries(Array.from({ length: 85_000 }, (_, n) => [`f${n}`, 1])))
  const html = `<style>${'p b i,div:nth-child(2n+1) u{color:red}'.repeat(900)}</style>${'<p><b><i>x</i></b></p>'.repeat(1200)}`
  const preview = { draft: { subject: 'Draft', html }, data: {} }
  const tables = markdownTables()
  const photo = new Blob([new Uint8Array(Buffer.from(image, 'base64'))], { type: 'image/jpeg' })
  const upload = () => {
    const form = new FormData()
    form.set('file', photo, 'photo.jpg')
    return form
  }

  return [
    {
      name: 'mail by API',
      concurrent: 1,
      pauseMs: 50,
      run: n =>
        send(
          'POST',
          '/v1/communications/messages',
          { templateKey: 'comms.test', to: VICTIM, data: { note: 'x' } },
          attacker(n),
        ),
    },
    {
      name: 'password resets',
      concurrent: 1,
      pauseMs: 50,
      run: n => send('POST', '/v1/auth/password/forgot', { email: VICTIM }, anonymous(n)),
    },
    {
      name: 'invitations',
      concurrent: 1,
      pauseMs: 100,
      run: n => send('POST', '/v1/identity/members/invite', { email: VICTIM, roles: ['tenant.member'] }, attacker(n)),
    },
    {
      name: 'form notifications',
      concurrent: 1,
      pauseMs: 200,
      run: n =>
        send(
          'POST',
          '/v1/forms',
          { name: 'Spam', schema: {}, notify: Array.from({ length: 20 }, (_, k) => stranger(n * 20 + k)) },
          attacker(n),
        ),
    },
    {
      name: 'style sheets',
      concurrent: 2,
      pauseMs: 0,
      run: () => send('POST', '/v1/communications/templates/comms.test/preview', preview, attacker(0)),
    },
    {
      name: 'Markdown tables',
      concurrent: 2,
      pauseMs: 0,
      run: n => send('POST', '/v1/content/pages', { slug: `tables-${n}`, title: 'Tables', body: tables }, attacker(1)),
    },
    {
      name: 'progressive images',
      concurrent: 6,
      pauseMs: 0,
      run: () => send('POST', '/v1/media', upload(), attacker(2)),
    },
    ...['/v1/auth/register', '/v1/auth/login', '/v1/forms/contact/submit'].map(path => ({
      name: `85,000 fields to ${path}`,
      concurrent: 2,
      pauseMs: 100,
      run: (n: number) => send('POST', path, fields, anonymous(n)),
    })),
  ]
}

async function attack(plan: AttackPlan, running: () => boolean): Promise<AttackReport> {
  const statuses: Record<string, number> = {}
  const repeat = async ({ name, pauseMs, run, concurrent }: Attack, lane: number) => {
    for (let n = lane; running(); n += concurrent) {
      const status = await run(n).then(
        async response => {
          await response.arrayBuffer()
          return response.status
        },
        () => 0,
      )
      statuses[`${name} ${status}`] = (statuses[`${name} ${status}`] ?? 0) + 1
      // Waits after a rejection, too: otherwise this would measure the cost of rejections.
      await pause(Math.max(pauseMs, status >= 200 && status < 300 ? 0 : 50))
    }
  }
  const attacks = attacksOf(plan).filter(({ name }) => plan.only === undefined || name === plan.only)
  const lanes = attacks.flatMap(one => Array.from({ length: one.concurrent }, (_, lane) => repeat(one, lane)))
  await Promise.all(lanes)
  return { statuses }
}

if (process.send) {
  // Real attackers use other machines: here they must not take CPU time from the server.
  setPriority(LOWEST_PRIORITY)
  let running = true
  process.once('message', (plan: AttackPlan) => {
    process.once('message', () => {
      running = false
    })
    void attack(plan, () => running).then(report => process.send?.(report, () => process.exit(0)))
  })
}
