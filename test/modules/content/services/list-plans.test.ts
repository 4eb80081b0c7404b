/** Lists read a page of rows from an index, also on tables that PostgreSQL has not analyzed. */
import test from 'ava'
import pg from 'pg'
import type { Deps, Step, Unit } from '../../../../kernel/index.ts'
import { redirectTable } from '../../../../modules/content/records/redirect.ts'
import { createPageListing } from '../../../../modules/content/services/page-listing.ts'
import { withPeople } from '../../../fixtures/with-people.ts'
import { contentRecipe, draft, PAGES } from '../fixtures.ts'

const { kernel, ada } = withPeople(test, { recipe: contentRecipe(), clock: true }, { ada: 'owner' }, async () => {
  await asOwner(
    ['content_pages', 'content_versions', 'content_redirects'].map(
      table => `alter table ${table} set (autovacuum_enabled = off)`,
    ),
  )
})

async function asOwner(statements: readonly string[]): Promise<void> {
  const client = new pg.Client(kernel.databaseUrl)
  client.on('error', () => {})
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

/** The statement that `read` sends. */
async function sentBy(read: (deps: Deps<'database' | 'product'>) => Promise<unknown>): Promise<Step> {
  let sent: Step | undefined
  const { database, product } = kernel.kernel.ports
  const unit = {
    query: async (...step: Step) => {
      sent = step
      return { rows: [], rowCount: 0 }
    },
    transaction: (work: () => Promise<unknown>) => work(),
  } as unknown as Unit
  await read({ database: { ...database, tenant: () => unit }, product })
  if (!sent) throw new Error('no statement was sent')
  return sent
}

async function planOf([text, values]: Step): Promise<string> {
  const unit = kernel.kernel.ports.database.tenant(ada.tenantId)
  const { rows } = await unit.query<{ 'QUERY PLAN': string }>(`explain ${text}`, values)
  return rows.map(row => row['QUERY PLAN']).join('\n')
}

const cursor = Buffer.from(JSON.stringify(['zzz'])).toString('base64url')
const lists: Record<string, (deps: Deps<'database' | 'product'>) => Promise<unknown>> = {
  'pages, first page': deps => createPageListing(deps).list('ten_a', 'drafts', { limit: 20 }),
  'pages, by cursor': deps => createPageListing(deps).list('ten_a', 'drafts', { limit: 20, cursor }),
  'pages, oldest first': deps => createPageListing(deps).list('ten_a', 'drafts', { limit: 20, oldestFirst: true }),
  'published pages': deps => createPageListing(deps).list('ten_a', 'published', { limit: 20 }),
  redirects: ({ database }) => redirectTable.page(database.tenant('ten_a'), { limit: 20 }),
  'redirects, by cursor': ({ database }) => redirectTable.page(database.tenant('ten_a'), { limit: 20, cursor }),
}

test('lists use the index of their order before a table is analyzed', async t => {
  const page = await draft(ada)
  await ada.post(`${PAGES}/${page.id}/publish`)
  for (const rows of [0, 20, 1000, 20_000]) {
    await asOwner([
      `insert into content_pages (tenant_id, id, slug, path, locale, version, published_version, created_at, updated_at)
       select '${ada.tenantId}', 'pag_' || i, i, '/' || i, 'en', 1, 1, now(), now() from generate_series(1, ${rows}) i
       on conflict do nothing`,
      `insert into content_versions (tenant_id, page_id, number, title, body, html, template, seo, created_at)
       select '${ada.tenantId}', 'pag_' || i, 1, 'x', repeat('x', 200), '', 'page', '{}', now()
       from generate_series(1, ${rows}) i on conflict do nothing`,
      `insert into content_redirects (tenant_id, id, source, target, status, created_at, updated_at)
       select '${ada.tenantId}', 'red_' || i, '/r/' || i, '/', 301, now(), now() from generate_series(1, ${rows}) i
       on conflict do nothing`,
    ])
    for (const [name, list] of Object.entries(lists)) {
      const plan = await planOf(await sentBy(list))
      t.regex(plan, /Limit[\s\S]*Index Scan.* using content_\w+_tenant_id_id_idx\d?/, `${name}, ${rows} rows`)
      t.notRegex(plan, /Sort|Seq Scan|Bitmap/, `${name}, ${rows} rows`)
    }
  }
})
