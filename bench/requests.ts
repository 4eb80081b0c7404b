/** One row, a list of 20 and an insert over HTTP, compared with `node:http` and `pg`. */

import { setTimeout as pause } from 'node:timers/promises'
import type { BenchEnvironment } from './fixtures.ts'
import { child, measureInTurns, type Rate, type Row, residentMiB, type Target } from './measure.ts'
import { mapConcurrently, WRITE_CONCURRENCY } from './peers.ts'

const ROUNDS = 5
const SECONDS = 3
/** V8 returns memory of a process without load after one to four minutes. */
const REST_SECONDS = 240
const NOTE = JSON.stringify({ title: 'A title', body: 'x'.repeat(200) })

export async function requests(environment: BenchEnvironment): Promise<Row[]> {
  const raw = await child<{ port: number }>('./raw-server.js', [environment.rawUrl])
  const express = await child<{ port: number }>('./raw-server.js', [environment.rawUrl, 'express'])
  const larder = await child<{ url: string }>(
    './larder-server.js',
    ['web', `${environment.folder}/web.log`],
    environment.env,
  )
  try {
    const idle = await residentMiB(larder.process.pid as number)
    const caller = await signUp(larder.ready.url)
    const headers = { authorization: `Bearer ${caller.token}` }
    const rawHeaders = { authorization: `Bearer ${environment.rawToken}` }
    const rawBase = `http://127.0.0.1:${raw.ready.port}`
    const expressBase = `http://127.0.0.1:${express.ready.port}`
    const noteId = await fill(larder.ready.url, headers)

    const three = (path: (id: string) => string, id: string, more: Partial<Target> = {}): Target[] => [
      {
        name: 'raw',
        url: `${rawBase}${path(environment.rawNoteId)}`,
        ...more,
        headers: { ...rawHeaders, ...more.headers },
      },
      { name: 'larder', url: `${larder.ready.url}${path(id)}`, ...more, headers: { ...headers, ...more.headers } },
      {
        name: 'express',
        url: `${expressBase}${path(environment.rawNoteId)}`,
        ...more,
        headers: { ...rawHeaders, ...more.headers },
      },
    ]
    const one = await measureInTurns(
      three(id => `/v1/notes/${id}`, noteId),
      ROUNDS,
      SECONDS,
    )
    const list = await measureInTurns(
      three(() => '/v1/notes', noteId),
      ROUNDS,
      SECONDS,
    )
    const post: Partial<Target> = { method: 'POST', body: NOTE, headers: { 'content-type': 'application/json' } }
    const insert = await measureInTurns(
      three(() => '/v1/notes', noteId, post),
      ROUNDS,
      SECONDS,
    )
    const loaded = await residentMiB(larder.process.pid as number)
    console.error(`waiting ${REST_SECONDS} s without load …`)
    await pause(REST_SECONDS * 1000)
    const rested = await residentMiB(larder.process.pid as number)
    const growth = (now: number) =>
      `${now.toFixed(0)} MiB (${now < idle ? '−' : '+'}${Math.abs(now - idle).toFixed(0)})`
    return [
      row('GET one row: authenticated, authorized, logged', '≥ 0.9', one),
      row('GET a list of 20', '≥ 0.8', list),
      row('POST: validated; row and outbox event in one transaction; logged', '≥ 0.8', insert),
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

/** Creates 1,000 notes, as in the raw table. Returns the id of one. */
async function fill(url: string, headers: Readonly<Record<string, string>>): Promise<string> {
  const sent = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: NOTE }
  const create = async () => (await (await fetch(`${url}/v1/notes`, sent)).json()) as { id: string }
  const notes = await mapConcurrently(1000, create, WRITE_CONCURRENCY)
  return notes[0]?.id ?? ''
}
