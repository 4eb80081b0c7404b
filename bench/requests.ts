/** Reads, lists and creates pages of content, compared with `node:http` and `pg`. */

import { setTimeout as pause } from 'node:timers/promises'
import type { BenchEnvironment } from './fixtures.ts'
import { child, measureInTurns, type Rate, type Row, residentMiB, type Target } from './measure.ts'
import { mapConcurrently, WRITE_CONCURRENCY } from './peers.ts'

const ROUNDS = 5
const SECONDS = 3
/** V8 returns memory of a process without load after one to four minutes. */
const REST_SECONDS = 240
const PAGE_COUNT = 1000
const AT = '/v1/content/pages'
const BODY = 'A paragraph of a page, with *emphasis* and a [link](/pricing). '.repeat(4)

export async function requests(environment: BenchEnvironment): Promise<Row[]> {
  const raw = await child<{ port: number }>('./raw-pages.js', [environment.rawUrl])
  const express = await child<{ port: number }>('./express-pages.js', [environment.rawUrl])
  const larder = await child<{ url: string }>(
    './larder-server.js',
    ['web', `${environment.folder}/web.log`],
    environment.env,
  )
  try {
    const idle = await residentMiB(larder.process.pid as number)
    const { token } = await signUp(larder.ready.url)
    const rawBase = `http://127.0.0.1:${raw.ready.port}`
    const rawId = await fill(rawBase, environment.rawToken)
    const sides = [
      { name: 'raw', base: rawBase, token: environment.rawToken, id: rawId },
      { name: 'larder', base: larder.ready.url, token, id: await fill(larder.ready.url, token) },
      { name: 'express', base: `http://127.0.0.1:${express.ready.port}`, token: environment.rawToken, id: rawId },
    ]
    const measure = (more: (id: string) => Partial<Target>): Promise<Rate[]> =>
      measureInTurns(
        sides.map(({ name, base, token, id }) => {
          const { url = '', headers, ...rest } = more(id)
          return { name, url: base + url, headers: { authorization: `Bearer ${token}`, ...headers }, ...rest }
        }),
        ROUNDS,
        SECONDS,
      )
    const one = await measure(id => ({ url: `${AT}/${id}` }))
    const list = await measure(() => ({ url: `${AT}?limit=20` }))
    const insert = await measure(() => ({ url: AT, method: 'POST', headers: JSON_TYPE, nextBody: nextPage }))
    const loaded = await residentMiB(larder.process.pid as number)
    console.error(`waiting ${REST_SECONDS} s without load …`)
    await pause(REST_SECONDS * 1000)
    const rested = await residentMiB(larder.process.pid as number)
    const growth = (now: number) =>
      `${now.toFixed(0)} MiB (${now < idle ? '−' : '+'}${Math.abs(now - idle).toFixed(0)})`
    return [
      row('get a page of content', '≥ 0.9', one),
      row('list 20 pages of content', '≥ 0.8', list),
      row('create a page of content: rendered; page, version and event in one transaction', '≥ 0.6', insert),
      { what: 'memory of the web process, idle', measured: `${idle.toFixed(0)} MiB`, against: '–', aim: '≤ 130 MiB' },
      { what: 'memory of the web process, during load', measured: growth(loaded), against: '–', aim: '–' },
      {
        what: `memory of the web process, ${REST_SECONDS / 60} minutes after load`,
        measured: growth(rested),
        against: '–',
        aim: 'growth ≤ 20 MiB',
      },
    ]
  } finally {
    await Promise.all([raw.stop(), express.stop(), larder.stop()])
  }
}

function row(what: string, aim: string, [raw, larder, express]: readonly Rate[]): Row {
  if (!raw || !larder || !express) throw new Error('expected three targets')
  const ratio = (rate: Rate) => (rate.median / raw.median).toFixed(2)
  const per = (rate: Rate) => `${Math.round(rate.median).toLocaleString('en')}/s`
  return {
    what,
    measured: `**${ratio(larder)}** (${per(larder)}, p99 ${larder.p99} ms)`,
    against: `node:http + pg ${per(raw)}; Express 5 + Sequelize 6 ${ratio(express)} (${per(express)})`,
    aim,
  }
}

async function signUp(url: string): Promise<{ token: string }> {
  const response = await fetch(`${url}/v1/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: `bench-${Date.now()}@example.test`, password: 'correct horse battery staple' }),
  })
  if (response.status !== 201) throw new Error(`the registration returned ${response.status}: ${await response.text()}`)
  return (await response.json()) as { token: string }
}

const JSON_TYPE = { 'content-type': 'application/json' }
let created = 0
const nextPage = (): string =>
  JSON.stringify({ slug: `page-${process.pid}-${created++}`, title: 'A title', body: BODY })

/** Creates pages. Returns the id of one. */
async function fill(url: string, token: string): Promise<string> {
  const headers = { ...JSON_TYPE, authorization: `Bearer ${token}` }
  const create = async () => {
    const response = await fetch(url + AT, { method: 'POST', headers, body: nextPage() })
    if (response.status !== 201) throw new Error(`POST ${AT} returned ${response.status}: ${await response.text()}`)
    return ((await response.json()) as { id: string }).id
  }
  return (await mapConcurrently(PAGE_COUNT, create, WRITE_CONCURRENCY))[PAGE_COUNT / 2] as string
}
