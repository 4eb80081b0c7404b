/** What a recipe changes in the forms that are there: looked at by `plan`, done by `reconcile`. Pure. */

import { createHash } from 'node:crypto'
import type { RecipeChange } from 'larder/kernel'
import { type Content, contentOf } from '../services/form-service.ts'
import type { FormRow } from '../services/form-repository.ts'
import type { Sections } from './sections.ts'

/** A form with a key, and what was sent to it. */
export type KeyedRow = FormRow & { readonly submissions: number }
export interface FormsDiff {
  /** `row` is undefined for a form that is new; one that the recipe had let go of comes back to it. */
  readonly changes: readonly {
    readonly key: string
    readonly content: Content
    readonly hash: string
    readonly row: KeyedRow | undefined
  }[]
  /** No longer in the recipe: what somebody sent to keeps its form, as the operator's own. */
  readonly gone: readonly KeyedRow[]
}

export function diffForms(forms: Sections['forms'], rows: readonly KeyedRow[]): FormsDiff {
  const changes = Object.entries(forms).map(([key, form]) => {
    const content = contentOf(form)
    return { key, content, hash: hashOf(content), row: rows.find(row => row.key === key) }
  })
  return {
    changes: changes.filter(({ row, hash }) => row?.managedBy !== 'recipe' || row.recipeHash !== hash),
    gone: rows.filter(({ key, managedBy }) => managedBy === 'recipe' && !(key !== null && Object.hasOwn(forms, key))),
  }
}

/** The order of fields counts: it is what is shown. */
const hashOf = (content: Content): string => createHash('sha256').update(JSON.stringify(content)).digest('base64url')

export const changesOf = ({ changes, gone }: FormsDiff): RecipeChange[] => [
  ...changes.map(({ key, content, row }): RecipeChange => {
    if (!row) return { change: 'add', subject: `form ${key}`, detail: `at /forms/${key}` }
    const closes = row.access === 'public' && content.access === 'tenant'
    return {
      change: row.managedBy === null ? 'add' : 'change',
      subject: `form ${key}`,
      detail: row.managedBy === null ? 'takes over the form of the operator’s own' : differences(content, row),
      ...(closes && { breaks: 'the public can no longer send it' }),
    }
  }),
  ...gone.map(
    ({ key, submissions }): RecipeChange => ({
      change: 'remove',
      subject: `form ${key}`,
      ...(submissions > 0
        ? { detail: `${submissions} submissions: it stays, as a form of the operator’s own` }
        : { breaks: `visitors find nothing at /forms/${key}` }),
    }),
  ),
]

function differences(content: Content, row: FormRow): string {
  const fields = ['name', 'access', 'schema', 'uiSchema', 'notify', 'allowedOrigins'] as const
  return fields.filter(field => JSON.stringify(content[field]) !== JSON.stringify(row[field])).join(', ')
}
