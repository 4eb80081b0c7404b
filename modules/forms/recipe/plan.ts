import { type Deps, isRecord, type RecipeChange, type RecipeView } from '@larder-dev/larder/kernel'
import type { Json } from '../domain/schema-traversal.ts'
import type { FormsOptions } from '../options.ts'
import { type FormRow, keyedForms } from '../services/form-repository.ts'
import type { FormContent } from '../services/form-service.ts'
import { diffForms, type FormsDiff } from './diff.ts'
import type { Sections } from './sections.ts'

export async function plan(
  { database, operator }: Deps<'database' | 'operator'>,
  _options: FormsOptions,
  { sections }: RecipeView<Sections>,
): Promise<readonly RecipeChange[]> {
  const rows = await keyedForms(database.tenant(operator.tenantId), { lock: false })
  return describeDiff(diffForms(sections.forms ?? {}, rows))
}

export const describeDiff = ({ writes, gone }: FormsDiff): RecipeChange[] => [
  ...writes.map(({ kind, declared: { key, content }, row }): RecipeChange => {
    if (!row) return { change: 'add', subject: `form ${key}`, detail: `at /forms/${key}` }
    const closes = row.access === 'public' && content.access === 'tenant'
    const isNew = kind === 'adopt'
    return {
      change: isNew ? 'add' : 'change',
      subject: `form ${key}`,
      detail: isNew ? 'takes over a form of the operator' : changedFields(content, row),
      ...(closes && { breaks: 'the public can no longer submit it' }),
    }
  }),
  ...gone.map(
    ({ row: { key, submissions }, release }): RecipeChange => ({
      change: 'remove',
      subject: `form ${key}`,
      ...(release
        ? { detail: `has ${submissions} submissions and stays, as a form of the operator` }
        : { breaks: `/forms/${key} returns 404` }),
    }),
  ),
]

function changedFields(content: FormContent, row: FormRow): string {
  const removed = removedFields(row.schema, content.schema)
  return (Object.keys(content) as (keyof FormContent)[])
    .filter(field => JSON.stringify(content[field]) !== JSON.stringify(row[field]))
    .map(field => (field === 'schema' && removed.length > 0 ? `schema (removes ${removed.join(', ')})` : field))
    .join(', ')
}

/** Names of fields that the new schema lacks; nested ones as `address.city`. */
function removedFields(before: Json, after: Json): string[] {
  const [old, next] = [before, after].map(({ properties }) => (isRecord(properties) ? properties : {})) as [Json, Json]
  return Object.entries(old).flatMap(([name, schema]) => {
    const replacement = next[name]
    if (replacement === undefined) return [name]
    if (!isRecord(schema) || !isRecord(replacement)) return []
    return removedFields(schema, replacement).map(inner => `${name}.${inner}`)
  })
}
