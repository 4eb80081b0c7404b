/** Ordinary users beside attackers: response times of both phases, and the memory of the server. */
import { execFile, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { codeRoot } from '../../kernel/base/package-root.ts'
import { SECOND } from '../../kernel/base/units.ts'
import { TEST_PASSWORD } from '../../testing/index.ts'
import { registerAt } from '../fixtures/register-at.ts'
import type { AttackPlan, AttackReport } from './abuse-attackers.ts'
import { createInstallation, kill, type Test } from './processes.ts'

export interface AbuseResult extends AttackReport {
  /** Milliseconds by kind of request. */
  readonly quiet: Samples
  readonly attacked: Samples
  /** Requests of ordinary users that weren't answered 2xx, by kind and status. */
  readonly failed: Readonly<Record<string, number>>
  /** Largest resident MiB of the web process: without attacks, with images only, and with all attacks. */
  readonly residentMib: { readonly quiet: number; readonly images: number; readonly attacked: number }
  /** Mail that the victim got. */
  readonly victimMails: number
}
export type Samples = Readonly<Record<string, readonly number[]>>

const USERS = 40
const ATTACKERS = 3
/** One request of an ordinary user; they don't wait for each other. */
const INTERVAL_MS = 50
const MEMORY_INTERVAL_MS = 200
/** Part of the attack with images only. */
const IMAGES_SHARE = 0.2
/** Lets the code of the server become warm before the quiet phase. */
const WARM_UP_MS = 10 * SECOND
const RECIPE = `recipe: 1
extends: larder/full
product: { key: abused, name: Abused, publicUrl: "http://localhost:8080" }
modules:
  comms: { transport: mailbox }
`

interface User {
  readonly email: string
  readonly token: string
  readonly ip: string
}

export async function abuse(
  t: Test,
  { quietMs, attackMs }: { readonly quietMs: number; readonly attackMs: number },
): Promise<AbuseResult> {
  const larder = await createInstallation(t, { recipe: RECIPE })
  const env = { RATE_LIMITS: 'on', TRUST_PROXY: '1' }
  const web = await larder.startProcess('web', env)
  const worker = await larder.startProcess('worker', env)
  const people: User[] = []
  for (let n = 0; n < USERS + ATTACKERS; n++) people.push(await register(web.url, n))
  const attackers = people.splice(USERS)
  const failed: Record<string, number> = {}
  const sendNext = createRequests(web.url, people)
  const pid = web.child.pid as number

  await ordinary(sendNext, WARM_UP_MS, {})
  const watched = async <T>(work: () => Promise<T>) => {
    const peak = watchMemory(pid)
    return [await work(), await peak.stop()] as const
  }
  const plan = { url: web.url, attackers, image: await progressiveImage() }
  const [quiet, quietMib] = await watched(() => ordinary(sendNext, quietMs, failed))
  const images = startAttack(t, { ...plan, only: 'progressive images' })
  const [, imagesMib] = await watched(() => ordinary(sendNext, attackMs * IMAGES_SHARE, failed))
  await images.stop()
  const attack = startAttack(t, plan)
  const [attacked, attackedMib] = await watched(() => ordinary(sendNext, attackMs * (1 - IMAGES_SHARE), failed))
  const report = await attack.stop()
  const [sent] = await larder.owner.query(
    "select count(*)::int as mails from comms_mailbox where recipient = 'victim@example.test'",
  )
  await kill(worker, 'SIGTERM')
  await kill(web, 'SIGTERM')
  return {
    ...report,
    quiet,
    attacked,
    failed,
    residentMib: { quiet: quietMib, images: imagesMib, attacked: attackedMib },
    victimMails: Number(sent?.mails),
  }
}

async function register(url: string, n: number): Promise<User> {
  const ip = `198.51.100.${n + 1}`
  const email = `user-${n}@example.test`
  const { token } = await registerAt(url, email, { 'x-forwarded-for': ip })
  return { email, token, ip }
}

interface Sent {
  readonly kind: string
  readonly response: Promise<Response>
}

/** Sends the next request of an ordinary user: mostly reads, a write in 6 requests, a sign-in in 40. */
function createRequests(url: string, users: readonly User[]): () => Sent {
  let turn = 0
  let signIns = 0
  const send = (kind: string, method: string, path: string, headers: Record<string, string>, body?: object): Sent => ({
    kind,
    response: fetch(url + path, {
      method,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    }),
  })
  return () => {
    const n = turn++
    if (n % 40 === 0) {
      const { email, ip } = users[signIns++ % users.length] as User
      return send('sign-in', 'POST', '/v1/auth/login', { 'x-forwarded-for': ip }, { email, password: TEST_PASSWORD })
    }
    const { token, ip } = users[n % users.length] as User
    const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': ip }
    switch (n % 6) {
      case 0:
        return send('write', 'PATCH', '/v1/auth/me', headers, { name: `User ${n}` })
      case 1:
        return send('page write', 'POST', '/v1/content/pages', headers, {
          slug: `page-${n}`,
          title: 'Notes',
          body: 'Some **notes**.\n\n- one\n- two\n',
        })
      case 2:
        return send('list', 'GET', '/v1/identity/members', headers)
      case 3:
        return send('public page', 'GET', '/', { accept: 'text/html', 'x-forwarded-for': ip })
      case 4:
        return send('health', 'GET', '/v1/health', { 'x-forwarded-for': ip })
      default:
        return send('read', 'GET', '/v1/me', headers)
    }
  }
}

/** Sends a request at each interval, whether or not earlier ones have been answered. */
async function ordinary(next: () => Sent, ms: number, failed: Record<string, number>): Promise<Samples> {
  const samples: Record<string, number[]> = {}
  const pending = new Set<Promise<void>>()
  const started = performance.now()
  for (let sent = 0; performance.now() - started < ms; sent++) {
    const due = started + sent * INTERVAL_MS
    await pause(Math.max(0, due - performance.now()))
    const request = measure(next()).finally(() => pending.delete(request))
    pending.add(request)
  }
  await Promise.all(pending)
  return samples

  async function measure({ kind, response }: Sent): Promise<void> {
    const from = performance.now()
    const status = await response.then(
      async answer => {
        await answer.arrayBuffer()
        return answer.status
      },
      () => 0,
    )
    samples[kind] ??= []
    samples[kind].push(performance.now() - from)
    if (status < 200 || status >= 300) failed[`${kind} ${status}`] = (failed[`${kind} ${status}`] ?? 0) + 1
  }
}

function startAttack(t: Test, plan: AttackPlan): { stop(): Promise<AttackReport> } {
  const child = fork(fileURLToPath(new URL('test/reliability/abuse-attackers.js', codeRoot)))
  t.teardown(() => child.kill('SIGKILL'))
  child.send(plan)
  return {
    async stop() {
      child.send('stop')
      const [report] = await once(child, 'message')
      return report as AttackReport
    },
  }
}

/** Base64 of a progressive JPEG with 24 million pixels, 573 KB. */
async function progressiveImage(): Promise<string> {
  const script = `require('sharp')({ create: { width: 4900, height: 4900, channels: 3, background: 'teal' } })
    .jpeg({ progressive: true, chromaSubsampling: '4:4:4' }).toBuffer()
    .then(image => process.stdout.write(image.toString('base64')))`
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script], { maxBuffer: 16 * 1024 * 1024 })
  return stdout
}

async function residentMib(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024
}

function watchMemory(pid: number): { stop(): Promise<number> } {
  let peak = 0
  let watching = true
  const watch = async () => {
    for (; watching; await pause(MEMORY_INTERVAL_MS)) peak = Math.max(peak, await residentMib(pid))
  }
  const done = watch()
  return {
    async stop() {
      watching = false
      await done
      return peak
    },
  }
}
