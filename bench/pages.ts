/** A page over HTTP, compared with Express sending a fixed string, and a list of 100,000 pages. */

import { fileURLToPath } from 'node:url'
import { encodeCursor, newId } from '../kernel/base/index.ts'
import type { BenchEnvironment } from './fixtures.ts'
import { child, measureInTurns, percentile, type Rate, type Row } from './measure.ts'

const ROUNDS = 5
const SECONDS = 3
/** Pages of the tenant. */
const PAGE_COUNT = 100_000
const PAGE_SIZE = 50
const LIST_REQUESTS = 400
const RECIPE = fileURLToPath(new URL('./pages.yaml', import.meta.url))
const PASSWORD = 'correct horse battery staple'

const FILL = `with made as (
    insert into content_pages (tenant_id, id, slug, path, locale, version, published_version, created_at, updated_at)
    select $1, id, id, '/' || id, 'en', 1, 1, now(), now() from unnest($2::text[]) id
    returning id)
  insert into content_versions (tenant_id, page_id, number, title, body, html, template, seo, created_at)
  select $1, id, 1, 'A title', repeat('x', 200), repeat('x', 200), 'page', '{}', now() from made`

export async function pages(environment: BenchEnvironment): Promise<Row[]> {
  const log = `${environment.folder}/pages.log`
  const larder = await child<{ url: string }>('./larder-server.js', ['web', log, RECIPE], environment.env)
  const base = larder.ready.url
  const first = await fetch(base)
  const size = (await first.arrayBuffer()).byteLength
  const tag = first.headers.get('etag') ?? ''
  const raw = await child<{ port: number }>('./express-string.js', [String(size)])
  try {
    const page = await measureInTurns(
      [
        { name: 'raw', url: `http://127.0.0.1:${raw.ready.port}/` },
        { name: 'larder', url: `${base}/` },
      ],
      ROUNDS,
      SECONDS,
    )
    const held = await fetch(base, { headers: { 'if-none-match': tag } })
    if (held.status !== 304) throw new Error(`a conditional request returned ${held.status}`)
    return [pageRow(page, size), ...(await lists(environment, base))]
  } finally {
    await Promise.all([raw.stop(), larder.stop()])
  }
}

function pageRow([raw, larder]: readonly Rate[], size: number): Row {
  if (!raw || !larder) throw new Error('expected two targets')
  const per = (rate: Rate) => `${Math.round(rate.median).toLocaleString('en')}/s`
  return {
    what: `public page of ${(size / 1024).toFixed(1)} KiB, with layout and menu, logged`,
    measured: `**${(larder.median / raw.median).toFixed(2)}** (${per(larder)}, p99 ${larder.p99} ms)`,
    against: `Express 5 sending a fixed string of this size: ${per(raw)}`,
    aim: '≥ 1.8',
  }
}

async function lists(environment: BenchEnvironment, base: string): Promise<Row[]> {
  const body = JSON.stringify({ email: `pages-${Date.now()}@example.test`, password: PASSWORD })
  const registered = await fetch(`${base}/v1/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
  const { token, workspace } = (await registered.json()) as { token: string; workspace: { id: string } }
  const ids = Array.from({ length: PAGE_COUNT }, () => newId('pag')).sort()
  for (let from = 0; from < PAGE_COUNT; from += 20_000)
    await environment.query(environment.larderUrl, FILL, [workspace.id, ids.slice(from, from + 20_000)])
  await environment.query(environment.larderUrl, 'analyze content_pages, content_versions')
  const list = (query: string) => times(`${base}/v1/content/pages?limit=${PAGE_SIZE}${query}`, token)
  // Cursors start with a mark of their list. Newest first: the last page starts after the id that has 50 before it.
  const response = await fetch(`${base}/v1/content/pages?limit=1`, { headers: { authorization: `Bearer ${token}` } })
  const first = (await response.json()) as { data: { id: string }[]; nextCursor: string }
  const nextCursor = first.nextCursor.replace(
    encodeCursor([first.data[0]?.id ?? '']),
    encodeCursor([ids[PAGE_SIZE] ?? '']),
  )
  const last = `&cursor=${encodeURIComponent(nextCursor)}`
  return [row('the first page', await list('')), row('the last page, by its cursor', await list(last))]
}

const row = (what: string, milliseconds: readonly number[]): Row => ({
  what: `GET ${PAGE_SIZE} of ${PAGE_COUNT.toLocaleString('en')} content pages: ${what}, p95`,
  measured: `**${percentile(milliseconds, 0.95).toFixed(1)} ms** (median ${percentile(milliseconds, 0.5).toFixed(1)} ms)`,
  against: '–',
  aim: '≤ 15 ms',
})

/** Sequential requests, in milliseconds. */
async function times(url: string, token: string): Promise<number[]> {
  const took: number[] = []
  for (let n = 0; n < LIST_REQUESTS; n++) {
    const began = performance.now()
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
    const body = (await response.json()) as { data?: unknown[] }
    took.push(performance.now() - began)
    if (body.data?.length !== PAGE_SIZE) throw new Error(`${url} returned ${response.status}: ${JSON.stringify(body)}`)
  }
  return took
}
