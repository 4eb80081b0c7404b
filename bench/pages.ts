/** The site: a page through the whole kernel against Express sending a fixed string, and a list among 100,000 pages. */

import { fileURLToPath } from 'node:url'
import { encodeCursor, newId } from '../kernel/base/index.ts'
import type { Stage } from './fixtures.ts'
import { child, inTurns, percentile, type Rate, type Row } from './measure.ts'

const ROUNDS = 5
const SECONDS = 3
/** Pages of the tenant that lists them. */
const MANY = 100_000
const SHOWN = 50
const LISTS = 400
const RECIPE = fileURLToPath(new URL('./pages.yaml', import.meta.url))
const PASSWORD = 'correct horse battery staple'

const FILL = `with made as (
    insert into content_pages (tenant_id, id, slug, path, locale, version, published_version, created_at, updated_at)
    select $1, id, id, '/' || id, 'en', 1, 1, now(), now() from unnest($2::text[]) id
    returning id)
  insert into content_versions (tenant_id, page_id, number, title, body, html, template, seo, created_at)
  select $1, id, 1, 'A title', repeat('x', 200), repeat('x', 200), 'page', '{}', now() from made`

export async function pages(stage: Stage): Promise<Row[]> {
  const log = `${stage.folder}/pages.log`
  const larder = await child<{ url: string }>('./larder-server.js', ['web', log, RECIPE], stage.env)
  const base = larder.ready.url
  const first = await fetch(base)
  const size = (await first.arrayBuffer()).byteLength
  const tag = first.headers.get('etag') ?? ''
  const raw = await child<{ port: number }>('./raw-page.js', [String(size)])
  try {
    const page = await inTurns(
      [
        { name: 'raw', url: `http://127.0.0.1:${raw.ready.port}/` },
        { name: 'larder', url: `${base}/` },
      ],
      ROUNDS,
      SECONDS,
    )
    const held = await fetch(base, { headers: { 'if-none-match': tag } })
    if (held.status !== 304) throw new Error(`who holds the page was answered ${held.status}`)
    return [pageRow(page, size), ...(await lists(stage, base))]
  } finally {
    await Promise.all([raw.stop(), larder.stop()])
  }
}

function pageRow([raw, larder]: readonly Rate[], size: number): Row {
  if (!raw || !larder) throw new Error('two targets were asked for')
  const per = (rate: Rate) => `${Math.round(rate.median).toLocaleString('en')}/s`
  return {
    what: `a public page of ${(size / 1024).toFixed(1)} KiB, in its layout with the menu, logged`,
    measured: `**${(larder.median / raw.median).toFixed(2)}** (${per(larder)}, p99 ${larder.p99} ms)`,
    against: `Express 5 sending a fixed string of this size ${per(raw)}`,
    aim: '≥ 0.5',
  }
}

async function lists(stage: Stage, base: string): Promise<Row[]> {
  const body = JSON.stringify({ email: `pages-${Date.now()}@example.test`, password: PASSWORD })
  const registered = await fetch(`${base}/v1/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
  const { token, workspace } = (await registered.json()) as { token: string; workspace: { id: string } }
  const ids = Array.from({ length: MANY }, () => newId('pag')).sort()
  for (let from = 0; from < MANY; from += 20_000)
    await stage.query(stage.larderUrl, FILL, [workspace.id, ids.slice(from, from + 20_000)])
  await stage.query(stage.larderUrl, 'analyze content_pages, content_versions')
  const list = (query: string) => times(`${base}/v1/content/pages?limit=${SHOWN}${query}`, token)
  // Newest first: behind this one the last page begins.
  const last = `&cursor=${encodeURIComponent(encodeCursor([ids[SHOWN] ?? '']))}`
  return [row('the first page', await list('')), row('the last page, by its cursor', await list(last))]
}

const row = (what: string, milliseconds: readonly number[]): Row => ({
  what: `GET ${SHOWN} of ${MANY.toLocaleString('en')} content pages: ${what}, p95`,
  measured: `**${percentile(milliseconds, 0.95).toFixed(1)} ms** (median ${percentile(milliseconds, 0.5).toFixed(1)} ms)`,
  against: '–',
  aim: '≤ 15 ms',
})

/** One after the other, in milliseconds. */
async function times(url: string, token: string): Promise<number[]> {
  const took: number[] = []
  for (let n = 0; n < LISTS; n++) {
    const began = performance.now()
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
    const { data } = (await response.json()) as { data: unknown[] }
    took.push(performance.now() - began)
    if (data.length !== SHOWN) throw new Error(`${url} answered ${response.status} and ${data.length} pages`)
  }
  return took
}
