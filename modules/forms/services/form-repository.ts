/** Forms in the database: the row is what counts now, its versions are what it asked for. */
import { common, type Deps, decodeCursor, type PageOf, pageLimit, toPage, type Unit } from 'larder/kernel'
import type { Json } from '../domain/schema-traversal.ts'
import type { ACCESS, Form, FormSummary } from '../routes/form-schemas.ts'

export interface FormRow {
  readonly id: string
  readonly key: string | null
  readonly name: string
  readonly access: (typeof ACCESS)[number]
  readonly schema: Json
  readonly uiSchema: Json | null
  readonly notify: string[]
  readonly allowedOrigins: string[]
  readonly version: number
  readonly managedBy: string | null
  readonly recipeHash: string | null
}
export interface FormQuery {
  readonly limit?: number
  readonly cursor?: string | undefined
  readonly access?: string | undefined
}

const OWN = `f.id, f.key, f.name, f.access, f.notify, f.allowed_origins as "allowedOrigins", f.version,
  f.managed_by as "managedBy"`
const SCHEMAS = `v.schema, v.ui_schema as "uiSchema"`
const TIMES = `f.created_at as "createdAt", f.updated_at as "updatedAt"`
const NEWEST = 'from forms_forms f join forms_versions v on v.form_id = f.id and v.number = f.version'
const LOCKED = `select ${OWN}, ${SCHEMAS}, f.recipe_hash as "recipeHash" ${NEWEST}`

/** The row, held until the unit ends. Throws `not_found`. */
export async function lockForm(unit: Unit, id: string): Promise<FormRow> {
  // Two statements: the second one sees the version that the holder before us wrote.
  await unit.query('select 1 from forms_forms where id = $1 for update', [id])
  const { rows } = await unit.query<FormRow>(`${LOCKED} where f.id = $1`, [id])
  if (!rows[0]) throw common.not_found({ what: 'form' })
  return rows[0]
}

/** Forms with a key: those of the recipe, and those that it let go of; `held` until the unit ends. */
export async function keyedForms(
  unit: Unit,
  { held }: { held: boolean },
): Promise<(FormRow & { submissions: number })[]> {
  if (held) await unit.query('select 1 from forms_forms where key is not null for update')
  const { rows } = await unit.query<FormRow & { submissions: number }>(
    `select k.*, (select count(*)::int from forms_submissions s where s.form_id = k.id) as submissions
     from (${LOCKED} where f.key is not null) k order by k.key`,
  )
  return rows
}

export function createFormRows({ database, product }: Deps<'database' | 'product'>) {
  const withUrl = <Row extends { id: string; key: string | null }>(row: Row) => ({
    ...row,
    url: `${product.publicUrl}/forms/${row.key ?? row.id}`,
  })
  return {
    /** Newest first. */
    async list(tenantId: string, query: FormQuery): Promise<PageOf<FormSummary>> {
      const [before = null] = decodeCursor(query.cursor, 1) ?? []
      const limit = pageLimit(query)
      const { rows } = await database.tenant(tenantId).query<Omit<FormSummary, 'url'>>(
        `select ${OWN}, ${TIMES} from forms_forms f
         where ($1::text is null or f.id < $1) and ($2::text is null or f.access = $2) order by f.id desc limit $3`,
        [before, query.access ?? null, limit + 1],
      )
      return toPage(rows.map(withUrl), limit, row => [row.id])
    },
    /** @param version what it asked for then; the newest by default. Throws `not_found`. */
    async get(tenantId: string, id: string, version?: number): Promise<Form> {
      const { rows } = await database.tenant(tenantId).query<Omit<Form, 'url'>>(
        `select ${OWN}, ${TIMES}, v.name, v.number as version, ${SCHEMAS} from forms_forms f
         join forms_versions v on v.form_id = f.id and v.number = coalesce($2::integer, f.version) where f.id = $1`,
        [id, version ?? null],
      )
      if (!rows[0]) throw common.not_found({ what: version === undefined ? 'form' : 'version' })
      return withUrl(rows[0])
    },
  }
}
