/** SQL of forms. The row has what applies to all versions; a version has its schema. */
import {
  common,
  type Deps,
  decodeCursor,
  type PageOf,
  pageLimit,
  together,
  toPage,
  type Unit,
} from '@larder-dev/larder/kernel'
import type { Access } from '../domain/access.ts'
import type { Json } from '../domain/schema-traversal.ts'
import type { Form, FormSummary } from '../records/form.ts'
import type { AddressState, RecipientService } from './recipient-service.ts'

export interface FormRow {
  readonly id: string
  readonly key: string | null
  readonly name: string
  readonly access: Access
  readonly schema: Json
  readonly uiSchema: Json | null
  readonly notify: string[]
  readonly allowedOrigins: string[]
  readonly version: number
  readonly managedBy: string | null
  readonly recipeHash: string | null
}
/** A form that the recipe declares or once declared. */
export type KeyedFormRow = FormRow & { readonly submissions: number }

export interface FormQuery {
  readonly limit?: number
  readonly cursor?: string | undefined
  readonly access?: string | undefined
}
export interface FormListing {
  /** Newest first. */
  list(tenantId: string, query: FormQuery): Promise<PageOf<FormSummary>>
  /** @param version the current one by default. Throws `not_found`. */
  get(tenantId: string, id: string, version?: number): Promise<Form>
}

const FORM = `f.id, f.key, f.name, f.access, f.notify, f.allowed_origins as "allowedOrigins", f.version,
  f.managed_by as "managedBy"`
const SCHEMAS = `v.schema, v.ui_schema as "uiSchema"`
const TIMES = `f.created_at as "createdAt", f.updated_at as "updatedAt"`
const CURRENT = 'from forms_forms f join forms_versions v on v.form_id = f.id and v.number = f.version'
const SELECT_ROW = `select ${FORM}, ${SCHEMAS}, f.recipe_hash as "recipeHash" ${CURRENT}`

/** Locks the row until the unit ends. Throws `not_found`. */
export async function lockForm(unit: Unit, id: string): Promise<FormRow> {
  // Two statements, so that the second one reads the version that the previous holder of the lock wrote.
  const {
    read: { rows },
  } = await together({
    lock: unit.query('select 1 from forms_forms where id = $1 for update', [id]),
    read: unit.query<FormRow>(`${SELECT_ROW} where f.id = $1`, [id]),
  })
  if (!rows[0]) throw common.not_found({ what: 'form' })
  return rows[0]
}

/** @param lock locks the rows until the unit ends. */
export async function keyedForms(unit: Unit, { lock }: { lock: boolean }): Promise<KeyedFormRow[]> {
  if (lock) await unit.query('select 1 from forms_forms where key is not null for update')
  const { rows } = await unit.query<KeyedFormRow>(
    `select k.*, (select count(*)::int from forms_submissions s where s.form_id = k.id) as submissions
     from (${SELECT_ROW} where f.key is not null) k order by k.key`,
  )
  return rows
}

/** The value of the gauge `forms.count`. */
export async function countForms({ database }: Deps<'database'>, tenantId: string): Promise<number> {
  const { rows } = await database
    .tenant(tenantId)
    .query<{ forms: number }>('select count(*)::int as forms from forms_forms')
  return rows[0]?.forms ?? 0
}

export function createFormListing(
  { database, product }: Deps<'database' | 'product'>,
  recipients: RecipientService,
): FormListing {
  const withDetails = <Row extends { id: string; key: string | null }>(row: Row, states: AddressState[] = []) => ({
    ...row,
    recipients: states,
    url: `${product.publicUrl}/forms/${row.key ?? row.id}`,
  })
  return {
    async list(tenantId, query) {
      const [before = null] = decodeCursor(query.cursor, 1) ?? []
      const limit = pageLimit(query)
      const { rows } = await database.tenant(tenantId).query<Omit<FormSummary, 'url' | 'recipients'>>(
        `select ${FORM}, ${TIMES} from forms_forms f
         where ($1::text is null or f.id < $1) and ($2::text is null or f.access = $2) order by f.id desc limit $3`,
        [before, query.access ?? null, limit + 1],
      )
      const states = await recipients.states(tenantId, rows)
      return toPage(
        rows.map((row, index) => withDetails(row, states[index])),
        limit,
        row => [row.id],
      )
    },
    async get(tenantId, id, version) {
      const { rows } = await database.tenant(tenantId).query<Omit<Form, 'url' | 'recipients'>>(
        `select ${FORM}, ${TIMES}, v.name, v.number as version, ${SCHEMAS} from forms_forms f
         join forms_versions v on v.form_id = f.id and v.number = coalesce($2::integer, f.version) where f.id = $1`,
        [id, version ?? null],
      )
      const [row] = rows
      if (!row) throw common.not_found({ what: version === undefined ? 'form' : 'version' })
      const [states] = await recipients.states(tenantId, [row])
      return withDetails(row, states)
    },
  }
}
