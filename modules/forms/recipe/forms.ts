/** The forms of the recipe, in the operator's workspace. */
import { createHash } from 'node:crypto'
import {
  type Deps,
  diffManagedRows,
  isRecord,
  type ManagedContext,
  type ManagedRowsDiff,
  managedSection,
  managedSections,
} from '@larder-dev/larder/kernel'
import type { Json } from '../domain/schema-traversal.ts'
import type { FormsOptions } from '../options.ts'
import { formTable } from '../records/form.ts'
import { type FormRow, type KeyedFormRow, keyedForms } from '../services/form-repository.ts'
import { type FormContent, toFormContent } from '../services/form-service.ts'
import type { FormServices } from '../services.ts'
import type { Sections } from './sections.ts'

type Context = ManagedContext<Deps<'database' | 'operator'> & Pick<FormServices, 'forms'>, FormsOptions, Sections>

interface DeclaredForm {
  readonly key: string
  readonly content: FormContent
  readonly hash: string
}

/** A form that left the recipe is released if it has submissions, and adopted again if it comes back. */
export function diffForms(
  forms: Sections['forms'],
  rows: readonly KeyedFormRow[],
): ManagedRowsDiff<DeclaredForm, KeyedFormRow> {
  // Submissions of any version create rows as the recipe says now.
  const declared = Object.entries(forms).map(([key, { into: _, ...form }]): DeclaredForm => {
    const content = toFormContent(form)
    return { key, content, hash: hashOf(content) }
  })
  return diffManagedRows<DeclaredForm, KeyedFormRow>(declared, rows, {
    keyOf: ({ key }) => key ?? '',
    isReleased: ({ submissions }) => submissions > 0,
  })
}

/** Depends on the order of fields, which is their order on the page. */
const hashOf = (content: FormContent): string =>
  createHash('sha256').update(JSON.stringify(content)).digest('base64url')

export const forms = managedSection<Context, DeclaredForm, KeyedFormRow>({
  subject: ({ key }) => `form ${key}`,
  diff: async ({ unit, recipe }, lock) => diffForms(recipe.sections.forms ?? {}, await keyedForms(unit, { lock })),
  describeWrite({ kind, declared: { key, content }, row }) {
    if (!row) return { detail: `at /forms/${key}` }
    const closes = row.access === 'public' && content.access === 'tenant'
    return {
      detail: kind === 'adopt' ? 'takes over a form of the operator' : changedFields(content, row),
      ...(closes && { breaks: 'the public can no longer submit it' }),
    }
  },
  describeRemoval: ({ row: { key, submissions }, release }) =>
    release
      ? { detail: `has ${submissions} submissions and stays, as a form of the operator` }
      : { breaks: `/forms/${key} returns 404` },
  async write({ deps: { forms, operator }, unit }, { declared: { key, content, hash }, row }) {
    const id = row?.id ?? (await forms.insert(unit, operator.tenantId, content, null, key))
    if (row) await forms.applyChange(unit, operator.tenantId, row, content, null)
    await unit.defer([formTable.updateStep({ id }, { managedBy: 'recipe', recipeHash: hash })])
  },
  remove: ({ deps: { forms, operator }, unit }, { row, release }) =>
    release
      ? unit.defer([formTable.updateStep({ id: row.id }, { managedBy: null, recipeHash: null })])
      : forms.delete(unit, operator.tenantId, row),
})

export const { plan, reconcile } = managedSections(forms)

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
