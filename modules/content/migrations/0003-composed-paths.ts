import type { Migration } from '@larder-dev/larder/kernel'

/** The path with its escaped texts in NFC, as requests are looked up. */
const composed = (path: string): string =>
  path
    .replace(/(?:%[89A-F][\dA-F])+/g, escapes => {
      try {
        return decodeURIComponent(escapes)
      } catch {
        return escapes
      }
    })
    .normalize('NFC')
    .replace(/[^\p{ASCII}]+/gu, encodeURIComponent)

/** A page or redirect whose composed path another one has keeps its own. */
export const up: Migration = async ({ query }) => {
  for (const [table, column, same] of [
    ['content_pages', 'path', 'and o.locale = t.locale'],
    ['content_redirects', 'source', ''],
  ]) {
    const { rows } = await query<{ id: string; path: string }>(
      `select id, ${column} as path from ${table} where ${column} like '%\\%%'`,
    )
    for (const { id, path } of rows)
      if (composed(path) !== path)
        await query(
          `update ${table} t set ${column} = $2 where id = $1 and not exists (
             select from ${table} o where o.tenant_id = t.tenant_id and o.${column} = $2 ${same})`,
          [id, composed(path)],
        )
  }
}
